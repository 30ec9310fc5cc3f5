#include <algorithm>
#include <limits>

#include "solver/hdf5/snapshot_file.hpp"
#include "solver/output/conductivity_tensor.hpp"

namespace perdure::hdf5 {
namespace {

/// The same figure of all entries.
template <typename Entries, typename Figure>
auto list_of(const Entries &entries, const Figure &figure) {
    std::vector<std::decay_t<decltype(figure(entries.front()))>> list;
    for (const auto &entry : entries) {
        list.push_back(figure(entry));
    }
    return list;
}

void write_directions(Object &group, const std::vector<EffectiveDirection> &directions) {
    using Direction = EffectiveDirection;
    const auto write = [&](const char *name, const auto &figure) {
        group.set(name, list_of(directions, figure));
    };
    write("direction", [](const Direction &d) { return std::string(name(static_cast<Axis>(d.axis))); });
    write("percolates", [](const Direction &d) { return std::int64_t{d.percolates}; });
    write("coefficient", [](const Direction &d) { return d.coefficient; });
    const auto bound = [](const Direction &d, double Bounds::*which) {
        return d.bounds ? (*d.bounds).*which : std::numeric_limits<double>::quiet_NaN();
    };
    write("coefficient_at_least", [&](const Direction &d) { return bound(d, &Bounds::lower); });
    write("coefficient_at_most", [&](const Direction &d) { return bound(d, &Bounds::upper); });
    write("digits", [](const Direction &d) { return std::int64_t{d.digits()}; });
    write("tortuosity", [](const Direction &d) { return d.tortuosity; });
    write("connected_fraction", [](const Direction &d) { return d.connected_fraction; });
    write("inflow", [](const Direction &d) { return d.inflow; });
    write("outflow", [](const Direction &d) { return d.outflow; });
    write("flux_difference", [](const Direction &d) { return d.flux_difference(); });
    write("rounding", [](const Direction &d) { return d.rounding; });
    write("stop_reason", [](const Direction &d) { return std::string(describe(d.stop)); });
    write("iterations", [](const Direction &d) { return d.iterations; });
    write("residual", [](const Direction &d) { return d.residual; });
    write("tolerance", [](const Direction &d) { return d.tolerance; });
    write("device_seconds", [](const Direction &d) { return d.device_seconds; });
    write("total_seconds", [](const Direction &d) { return d.total_seconds; });
}

/// The labels that percolate by themselves, direction by direction: a list of 0 and 1 for each, named after the axis.
void write_labels(Object &group, const EffectiveTensor &tensor) {
    using Material = EffectiveMaterial;
    group.set("label", list_of(tensor.materials, [](const Material &m) { return m.label; }));
    group.set("label_conductivity",
              list_of(tensor.materials, [](const Material &m) { return m.conductivity; }));
    const bool varies_by_axis = std::any_of(tensor.materials.begin(), tensor.materials.end(),
                                            [](const Material &m) { return m.by_axis.has_value(); });
    for (int axis = 0; axis < tensor.dimensions && varies_by_axis; ++axis) {
        const std::string attribute = std::string("label_conductivity_") + name(static_cast<Axis>(axis));
        group.set(attribute, list_of(tensor.materials, [axis](const Material &m) {
                      return m.by_axis ? (*m.by_axis)[axis] : m.conductivity;
                  }));
    }
    const bool crossed = std::any_of(tensor.materials.begin(), tensor.materials.end(),
                                     [](const Material &m) { return m.cross.has_value(); });
    for (int i = 0; i < tensor.dimensions && crossed; ++i) {
        for (int k = i + 1; k < tensor.dimensions; ++k) {
            const std::string attribute =
                std::string("label_conductivity_") + name(static_cast<Axis>(i)) + name(static_cast<Axis>(k));
            group.set(attribute, list_of(tensor.materials, [i, k](const Material &m) {
                          return m.cross ? (*m.cross)[i + k - 1] : 0.0;
                      }));
        }
    }
    group.set("label_fraction", list_of(tensor.materials, [](const Material &m) { return m.fraction; }));
    for (std::size_t i = 0; i < tensor.directions.size(); ++i) {
        const std::string attribute =
            std::string("label_percolates_") + name(static_cast<Axis>(tensor.directions[i].axis));
        group.set(attribute, list_of(tensor.materials,
                                     [i](const Material &m) { return std::int64_t{m.percolates[i]}; }));
    }
}

/// A row of the tensor each: the mean flux along the axis that it is named after, for a fall of u along x, y, z.
void write_entries(Object &group, const ConductivityTensor &tensor) {
    for (int i = 0; i < tensor.dimensions; ++i) {
        const std::string row = std::string("tensor_") + name(static_cast<Axis>(i));
        const auto *const first = tensor.entries[i].data();
        group.set(row, std::vector<double>(first, first + tensor.dimensions));
    }
    group.set("principal", tensor.principal);
    group.set("asymmetry", tensor.asymmetry);
}

}  // namespace

void write_tensor(Object &parent, const EffectiveTensor &tensor) {
    Object &group = parent.group("effective");
    write_directions(group, tensor.directions);
    write_labels(group, tensor);
    group.set("lateral", tensor.sides != ImageSides::insulated ? "periodic" : "flux");
    group.set("periodic_cell", std::int64_t{tensor.sides == ImageSides::periodic_cell});
    group.set("mean_coefficient", tensor.mean_coefficient);
    group.set("conducting_fraction", tensor.conducting_fraction);
    group.set("percolation_seconds", tensor.percolation_seconds);
    group.set("wiener", std::vector<double>{tensor.wiener.lower, tensor.wiener.upper});
    if (tensor.hashin_shtrikman) {
        group.set("hashin_shtrikman",
                  std::vector<double>{tensor.hashin_shtrikman->lower, tensor.hashin_shtrikman->upper});
    }
    if (const auto whole = conductivity_tensor(tensor)) {
        write_entries(group, *whole);
    }
    if (!tensor.remarks.empty()) {
        group.set("remarks", tensor.remarks);
    }
}

}  // namespace perdure::hdf5
