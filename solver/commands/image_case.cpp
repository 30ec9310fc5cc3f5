// A starting case of an image: its shape and labels come from the file.
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "solver/case_file/starting_cases.hpp"
#include "solver/case_file/yaml_text.hpp"
#include "solver/case_file/yaml_tree.hpp"
#include "solver/commands/new_case.hpp"
#include "solver/commands/words.hpp"
#include "solver/hdf5/read_dataset.hpp"
#include "solver/in_words.hpp"
#include "solver/output/solution.hpp"

namespace perdure::commands {
namespace {

struct Image {
    std::vector<std::int64_t> shape;
    std::vector<double> voxel;  // its edges, slowest axis first; empty: not known
    std::string unit;           // of these; empty: none that a case can have
};
using Images = std::map<std::string, Image>;

/// The size of a voxel, as tools/import_image stores it with the image.
std::vector<double> voxel_of(const nlohmann::ordered_json &dataset, std::size_t axes) {
    const auto stored = dataset.value("voxel_size", nlohmann::ordered_json::array());
    std::vector<double> edges;
    for (const auto &edge : stored) {
        if (edge.is_number() && edge.get<double>() > 0.0) {
            edges.push_back(edge.get<double>());
        }
    }
    return edges.size() == axes && stored.size() == axes ? edges : std::vector<double>{};
}

/// A scan as other programs write it: a folder of slices, or a file without an ending of HDF5.
bool may_be_scan(const std::filesystem::path &file) {
    std::error_code error;
    const std::filesystem::path ending = file.extension();
    return std::filesystem::exists(file, error) && ending != ".h5" && ending != ".hdf5" &&
           ending != ".vtkhdf";
}

nlohmann::ordered_json contents_of(const std::filesystem::path &file) {
    try {
        return describe_file(file);
    } catch (const Failure &failure) {
        if (!may_be_scan(file)) {
            throw;
        }
        throw Failure(
            failure.code(),
            fmt::format("--image: {}; tools/import_image converts TIFF, PNG, NRRD and raw images: "
                        "tools/import_image {} --output {}",
                        failure.what(), file.string(), file.filename().replace_extension(".h5").string()));
    }
}

/// Datasets of whole numbers with two or three axes.
Images images_in(const std::filesystem::path &file) {
    const nlohmann::ordered_json contents = contents_of(file);
    Images images;
    for (const auto &dataset : contents.value("datasets", nlohmann::ordered_json::array())) {
        const auto shape = dataset.at("shape").get<std::vector<std::int64_t>>();
        const bool whole = dataset.at("type").get<std::string>().find("int") != std::string::npos;
        if (whole && (shape.size() == 2 || shape.size() == 3)) {
            const std::vector<double> voxel = voxel_of(dataset, shape.size());
            const auto stored = dataset.value("voxel_unit", nlohmann::ordered_json());
            const std::string unit = stored.is_string() && !voxel.empty() ? stored.get<std::string>() : "";
            images[dataset.at("name").get<std::string>()] = {shape, voxel,
                                                             value_named<LengthUnit>(unit) ? unit : ""};
        }
    }
    return images;
}

std::string named(const Images &images) {
    std::vector<std::string> names;
    for (const auto &[name, image] : images) {
        names.push_back(fmt::format("{} [{}]", name, fmt::join(image.shape, ", ")));
    }
    return in_words(names, "and");
}

Images::const_iterator choose(const Images &images, const std::filesystem::path &file, std::string dataset) {
    const std::string what = "label images, that is, whole numbers on two or three axes";
    if (images.empty()) {
        throw Failure(
            ExitCode::bad_input,
            fmt::format("--image: {} holds no {}; tools/import_image converts TIFF slices to a label image",
                        file.string(), what));
    }
    if (dataset.empty() && images.size() > 1) {
        throw Failure(ExitCode::case_or_usage,
                      fmt::format("--image: {} holds several {}: {}; choose one with --dataset",
                                  file.string(), what, named(images)));
    }
    dataset.insert(0, dataset.starts_with('/') ? "" : "/");
    const auto found = dataset == "/" ? images.begin() : images.find(dataset);
    if (found == images.end()) {
        throw Failure(ExitCode::bad_input, fmt::format("--dataset: {} is not one of the {} in {}: {}",
                                                       dataset, what, file.string(), named(images)));
    }
    return found;
}

std::set<std::int64_t> labels_of(const std::filesystem::path &file, const std::string &dataset,
                                 const std::vector<std::int64_t> &shape) {
    constexpr std::size_t most_labels = 255;
    std::mutex lock;
    std::set<std::int64_t> labels;
    read_labels(file, dataset, shape, [&](std::span<const std::int64_t> part, std::int64_t) {
        std::set<std::int64_t> own;
        std::optional<std::int64_t> last;  // neighbours are mostly alike
        for (const std::int64_t label : part) {
            if (label != last && own.size() <= most_labels) {
                own.insert(label);
            }
            last = label;
        }
        const std::lock_guard hold(lock);
        if (labels.size() <= most_labels) {
            labels.merge(own);
        }
    });
    if (labels.size() > most_labels) {
        throw Failure(
            ExitCode::bad_input,
            fmt::format(
                "--image: dataset {} of {} has more than {} different values, so it is probably a grey-value "
                "image; segment it first, for example into two labels by tools/import_image --threshold",
                dataset, file.string(), most_labels));
    }
    return labels;
}

/// Quoted where YAML needs it.
std::string as_yaml(const std::string &text) {
    YamlNode scalar;
    scalar.kind = YamlNode::Kind::scalar;
    scalar.text = text;
    return flow_text(scalar);
}

/// The file as a case in that folder names it.
std::string named_from(const std::filesystem::path &folder, const std::filesystem::path &file) {
    const std::filesystem::path from =
        std::filesystem::absolute(folder.empty() ? "." : folder).lexically_normal();
    return std::filesystem::absolute(file).lexically_proximate(from).string();
}

}  // namespace

ImageCase image_case(const NewCaseOptions &options) {
    const std::filesystem::path file = options.image;
    const Images images = images_in(file);
    const auto image = choose(images, file, options.dataset);
    const std::vector<std::int64_t> &shape = image->second.shape;
    StartingImage start{as_yaml(named_from(options.path.parent_path(), file)),
                        as_yaml(image->first),
                        shape,
                        image->second.voxel,
                        {},
                        image->second.unit};
    std::vector<std::string> words;
    for (const std::int64_t label : labels_of(file, image->first, shape)) {
        start.labels[label] = start.labels.empty() ? 1.0 : 0.0;
        words.push_back(std::to_string(label));
    }
    return {starting_effective_case(start),
            fmt::format("the image is dataset {}, shape [{}], label{} {}", image->first,
                        fmt::join(shape, ", "), words.size() == 1 ? "" : "s", in_words(words, "and"))};
}

}  // namespace perdure::commands
