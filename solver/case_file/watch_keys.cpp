#include "solver/case_file/watch_keys.hpp"

#include <array>

namespace perdure {

std::span<const CaseKey> watch_keys() {
    static constexpr std::array keys{
        CaseKey{"time.stop_when", "formula", "",
                "heat and system: condition on watched values and t that ends the run when it is true"},
        CaseKey{"watch", "map", "",
                "heat and system: values recorded through time, in /series of the result and in NAME.csv"},
        CaseKey{"watch.every_steps", "whole number > 0", "",
                "steps between two records, 1 with time.stop_when unless `every` is given; the start and the "
                "end are always recorded"},
        CaseKey{"watch.every", "number > 0", "", "time between two records"},
        CaseKey{"watch.integrals", "map of name to map", "",
                "integrals, norms and extrema over all cells or a part of them, and fluxes through faces"},
        CaseKey{
            "watch.integrals.NAME", "map", "",
            "one of sum, mean, min, max, L1, L2 and Linf of a formula e, or a flux, with where and units"},
        CaseKey{"watch.integrals.NAME.sum", "formula", "", "sum of e V, where V is the volume of a cell"},
        CaseKey{"watch.integrals.NAME.mean", "formula", "", "mean of e over the cells"},
        CaseKey{"watch.integrals.NAME.min", "formula", "", "smallest value of e"},
        CaseKey{"watch.integrals.NAME.max", "formula", "", "largest value of e"},
        CaseKey{"watch.integrals.NAME.L1", "formula", "", "sum of |e| V"},
        CaseKey{"watch.integrals.NAME.L2", "formula", "", "square root of the sum of e^2 V"},
        CaseKey{"watch.integrals.NAME.Linf", "formula", "", "largest |e|"},
        CaseKey{"watch.integrals.NAME.flux", "name of a side, or map of x, y, z", "",
                "sum of v . n A over the faces of a side, such as x+, where n points outwards, or of a "
                "plane, such as "
                "{x: 0.1}, where n points along the axis; A is the area of a face"},
        CaseKey{"watch.integrals.NAME.of", "formula", "heat: a*grad(u)",
                "with flux: the vector v, at faces as div(v) in an equation has it"},
        CaseKey{"watch.integrals.NAME.where", "formula", "all cells",
                "condition; only cells where it is true count"},
        CaseKey{"watch.integrals.NAME.units", "text", "", "units, stored as an attribute"},
        CaseKey{"watch.probes", "map of name to map", "", "points and lines at which values are recorded"},
        CaseKey{"watch.probes.NAME", "map", "", "x, y and z of a point, or from, to and points of a line"},
        CaseKey{"watch.probes.NAME.x", "number", "",
                "coordinate of the point; values are linear between cell centres"},
        CaseKey{"watch.probes.NAME.y", "number", "", "coordinate of the point, in 2D and 3D"},
        CaseKey{"watch.probes.NAME.z", "number", "", "coordinate of the point, in 3D"},
        CaseKey{"watch.probes.NAME.from", "map of x, y, z", "", "first point of a line"},
        CaseKey{"watch.probes.NAME.to", "map of x, y, z", "", "last point of a line"},
        CaseKey{"watch.probes.NAME.points", "whole number > 1", "",
                "number of points on the line, including its ends"},
        CaseKey{"watch.probes.NAME.of", "list of fields, or map of name to formula", "all fields",
                "what is recorded at the points"},
    };
    return keys;
}

}  // namespace perdure
