#include <algorithm>
#include <limits>

#include "solver/hdf5/attributes.hpp"
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

void write_directions(hid_t group, const std::vector<EffectiveDirection> &directions) {
    using Direction = EffectiveDirection;
    const auto write = [&](const char *name, const auto &figure) {
        write_attribute(group, name, list_of(directions, figure));
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
void write_labels(hid_t group, const EffectiveTensor &tensor) {
    using Material = EffectiveMaterial;
    write_attribute(group, "label", list_of(tensor.materials, [](const Material &m) { return m.label; }));
    write_attribute(group, "label_conductivity",
                    list_of(tensor.materials, [](const Material &m) { return m.conductivity; }));
    const bool varies_by_axis = std::any_of(tensor.materials.begin(), tensor.materials.end(),
                                            [](const Material &m) { return m.by_axis.has_value(); });
    for (int axis = 0; axis < tensor.dimensions && varies_by_axis; ++axis) {
        const std::string attribute = std::string("label_conductivity_") + name(static_cast<Axis>(axis));
        write_attribute(group, attribute.c_str(), list_of(tensor.materials, [axis](const Material &m) {
                            return m.by_axis ? (*m.by_axis)[axis] : m.conductivity;
                        }));
    }
    write_attribute(group, "label_fraction",
                    list_of(tensor.materials, [](const Material &m) { return m.fraction; }));
    for (std::size_t i = 0; i < tensor.directions.size(); ++i) {
        const std::string attribute =
            std::string("label_percolates_") + name(static_cast<Axis>(tensor.directions[i].axis));
        write_attribute(group, attribute.c_str(), list_of(tensor.materials, [i](const Material &m) {
                            return std::int64_t{m.percolates[i]};
                        }));
    }
}

/// A row of the tensor each: the mean flux along the axis that it is named after, for a fall of u along x, y, z.
void write_entries(hid_t group, const ConductivityTensor &tensor) {
    for (int i = 0; i < tensor.dimensions; ++i) {
        const std::string row = std::string("tensor_") + name(static_cast<Axis>(i));
        const auto *const first = tensor.entries[i].data();
        write_attribute(group, row.c_str(), std::vector<double>(first, first + tensor.dimensions));
    }
    write_attribute(group, "principal", tensor.principal);
    write_attribute(group, "asymmetry", tensor.asymmetry);
}

}  // namespace

void write_tensor(hid_t parent, const EffectiveTensor &tensor) {
    Handle group = create_group(parent, "effective");
    write_directions(group, tensor.directions);
    write_labels(group, tensor);
    write_attribute(group, "lateral", tensor.periodic ? "periodic" : "flux");
    write_attribute(group, "mean_coefficient", tensor.mean_coefficient);
    write_attribute(group, "conducting_fraction", tensor.conducting_fraction);
    write_attribute(group, "percolation_seconds", tensor.percolation_seconds);
    write_attribute(group, "wiener", std::vector<double>{tensor.wiener.lower, tensor.wiener.upper});
    if (tensor.hashin_shtrikman) {
        write_attribute(group, "hashin_shtrikman",
                        std::vector<double>{tensor.hashin_shtrikman->lower, tensor.hashin_shtrikman->upper});
    }
    if (const auto whole = conductivity_tensor(tensor)) {
        write_entries(group, *whole);
    }
    if (!tensor.remarks.empty()) {
        write_attribute(group, "remarks", tensor.remarks);
    }
    group.close("write the effective properties");
}

}  // namespace perdure::hdf5
