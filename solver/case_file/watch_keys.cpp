#include "solver/case_file/watch_keys.hpp"

#include <array>

namespace perdure {

std::span<const CaseKey> watch_keys() {
    static constexpr std::array keys{
        CaseKey{"time.stop_when", "formula", "",
                "heat (which becomes a system) and system: ends the run where it is true, of what is watched "
                "and t"},
        CaseKey{"watch", "map", "",
                "heat (which becomes a system) and system: what is followed through time: /series of the "
                "result, and NAME.csv"},
        CaseKey{"watch.every_steps", "whole number > 0", "", "besides the beginning and the end"},
        CaseKey{"watch.every", "number > 0", "", "the same in intervals of time"},
        CaseKey{"watch.integrals", "map of name to map", "", "over all cells, or a part"},
        CaseKey{"watch.integrals.NAME", "map", "",
                "one of sum, mean, min, max, L1, L2, Linf; where and units"},
        CaseKey{"watch.integrals.NAME.sum", "formula", "", "e V added up, V the volume of a cell"},
        CaseKey{"watch.integrals.NAME.mean", "formula", "", "of the cells"},
        CaseKey{"watch.integrals.NAME.min", "formula", "", "smallest value"},
        CaseKey{"watch.integrals.NAME.max", "formula", "", "largest value"},
        CaseKey{"watch.integrals.NAME.L1", "formula", "", "|e| V added up"},
        CaseKey{"watch.integrals.NAME.L2", "formula", "", "square root of e^2 V added up"},
        CaseKey{"watch.integrals.NAME.Linf", "formula", "", "largest |e|"},
        CaseKey{"watch.integrals.NAME.where", "formula", "all cells", "cells where it is true"},
        CaseKey{"watch.integrals.NAME.units", "text", "", "written as an attribute"},
        CaseKey{"watch.probes", "map of name to map", "", "points and lines"},
        CaseKey{"watch.probes.NAME", "map", "", "x, y and z of a point; or from, to and points of a line"},
        CaseKey{"watch.probes.NAME.x", "number", "", "linear between the centres of cells"},
        CaseKey{"watch.probes.NAME.y", "number", "", "in 2D and 3D"},
        CaseKey{"watch.probes.NAME.z", "number", "", "in 3D"},
        CaseKey{"watch.probes.NAME.from", "map of x, y, z", "", "first point of a line"},
        CaseKey{"watch.probes.NAME.to", "map of x, y, z", "", "last point of a line"},
        CaseKey{"watch.probes.NAME.points", "whole number > 1", "", "of a line, its ends among them"},
        CaseKey{"watch.probes.NAME.of", "list of fields, or map of name to formula", "all fields",
                "what is taken there"},
    };
    return keys;
}

}  // namespace perdure
