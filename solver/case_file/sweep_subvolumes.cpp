// Cubes cut out of an image, for the size from which on it stands for its material.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "solver/case_file/random_numbers.hpp"
#include "solver/case_file/sweep_axes.hpp"

namespace perdure {
namespace {

constexpr std::int64_t largest_edge = std::numeric_limits<std::int32_t>::max();
constexpr const char *shape_key = "problem.subvolume.shape";
constexpr const char *from_key = "problem.subvolume.from";

/// Shape of the whole image, slowest axis first; empty, and a finding, where the case does not give it.
std::vector<std::int64_t> image_shape(const YamlEntry &entry, const YamlNode &root, Findings &findings) {
    const YamlNode *const grid = root.find("grid");
    const YamlNode *const given = grid != nullptr ? grid->find("shape") : nullptr;
    std::vector<std::int64_t> shape;
    if (given != nullptr && given->kind == YamlNode::Kind::list) {
        shape = YamlValue(*given, "grid.shape", given->position, findings)
                    .whole_numbers("the numbers of cells", 1, largest_edge);
    }
    if (shape.size() < 2 || shape.size() > 3) {
        findings.error(
            entry.key_position,
            "sweep.subvolumes: grid.shape has to be the shape of the whole image, a list of numbers");
        shape.clear();
    }
    return shape;
}

/// The cubes of one size: as many as fit side by side, in the middle of the image, or some of them.
struct Cubes {
    YamlNode edge;
    std::int64_t size = 0;
    std::vector<std::int64_t> image, along;  // cubes along each axis
    std::vector<std::uint32_t> chosen;       // their numbers; empty: all of them
    [[nodiscard]] std::size_t count() const {
        std::size_t all = 1;
        for (const std::int64_t cubes : along) {
            all = std::min(all * static_cast<std::size_t>(cubes), most_sweep_members + 1);
        }
        return chosen.empty() ? all : chosen.size();
    }

    /// First cell of a cube.
    [[nodiscard]] YamlNode from(std::size_t index) const {
        auto number = static_cast<std::int64_t>(chosen.empty() ? index : chosen[index]);
        YamlNode list;
        list.kind = YamlNode::Kind::list;
        list.position = edge.position;
        for (std::size_t axis = along.size(); axis-- > 0; number /= along[axis]) {
            const std::int64_t margin = (image[axis] - along[axis] * size) / 2;
            list.items.insert(
                list.items.begin(),
                number_node(fmt::to_string(margin + number % along[axis] * size), edge.position));
        }
        return list;
    }
};

/// Nothing after a finding.
std::optional<Cubes> cubes_of(const YamlValue &item, const std::vector<std::int64_t> &image,
                              std::optional<std::int64_t> most) {
    const auto size = item.whole_number(1, largest_edge);
    if (!size) {
        return std::nullopt;
    }
    const std::int64_t shortest = std::ranges::min(image);
    if (*size > shortest) {
        item.error(fmt::format("a cube of {} voxels does not fit into the image, which has {} along one axis",
                               *size, shortest));
        return std::nullopt;
    }
    Cubes cubes{number_node(fmt::to_string(*size), item.position()), *size, image, {}, {}};
    for (const std::int64_t cells : image) {
        cubes.along.push_back(cells / *size);
    }
    const std::size_t all = cubes.count();
    if (all > most_sweep_members) {
        item.error(
            fmt::format("more than {} cubes fit into the image; choose a larger size", most_sweep_members));
        return std::nullopt;
    }
    if (most && static_cast<std::size_t>(*most) < all) {
        cubes.chosen = RandomNumbers(1, fmt::to_string(*size)).permutation(all);
        cubes.chosen.resize(static_cast<std::size_t>(*most));
        std::ranges::sort(cubes.chosen);
    }
    return cubes;
}

}  // namespace

std::optional<SweepAxis> axis_of_subvolumes(const YamlEntry &entry, const YamlNode &root,
                                            Findings &findings) {
    const std::size_t before = findings.size();
    YamlMap map(YamlValue(entry.value, "sweep.subvolumes", entry.key_position, findings));
    const auto most_value = map.take("most");
    const auto most = most_value ? most_value->whole_number(1, largest_edge) : std::nullopt;
    const auto edges = map.require("edges", "a list of sizes of cubes, in voxels, such as [25, 50, 100]");
    const auto items = edges ? edges->list("a list of sizes of cubes, in voxels") : std::nullopt;
    map.finish();
    const std::vector<std::int64_t> image = image_shape(entry, root, findings);
    SweepAxis axis;
    axis.keys = {{shape_key, entry.key_position}, {from_key, entry.key_position}};
    const auto sizes = std::make_shared<std::vector<Cubes>>();
    for (const YamlValue &item : items && !image.empty() ? *items : std::vector<YamlValue>{}) {
        if (auto cubes = cubes_of(item, image, most)) {
            axis.size += cubes->count();
            sizes->push_back(std::move(*cubes));
        }
    }
    if (items && items->empty()) {
        edges->error("expected sizes of cubes, found an empty list");
    }
    if (findings.size() > before) {
        return std::nullopt;
    }
    axis.values = [sizes, position = entry.key_position](std::size_t index) {
        std::size_t which = 0;
        for (; index >= (*sizes)[which].count(); ++which) {
            index -= (*sizes)[which].count();
        }
        const Cubes &cubes = (*sizes)[which];
        return SweepMember{{shape_key, position, cubes.edge}, {from_key, position, cubes.from(index)}};
    };
    return with_distinct_values(std::move(axis), findings);
}

}  // namespace perdure
