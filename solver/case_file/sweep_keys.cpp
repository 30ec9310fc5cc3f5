#include "solver/case_file/sweep_keys.hpp"

#include <array>

namespace perdure {
namespace {

constexpr std::array of_sweep{
    CaseKey{"sweep", "map of key to list, or list of maps", "",
            "several cases in one file: every combination of the lists and ranges, or one case per map; NAME "
            "is a key path such as solver.rtol"},
    CaseKey{"sweep.NAME.from", "number", "required",
            "first value of a range; with units, as in 1 mm or 0.1 W/(m K), where the key may have them; to "
            "has the same"},
    CaseKey{"sweep.NAME.to", "number", "required", "last value of a range"},
    CaseKey{"sweep.NAME.count", "whole number > 1", "",
            "number of values in a range; required except in a sample"},
    CaseKey{"sweep.NAME.scale", "linear or log", "linear",
            "linear: equal differences between the values; log: equal ratios"},
    CaseKey{"sweep.zip", "map of key to list", "", "lists of equal length whose values are taken together"},
    CaseKey{"sweep.sample", "map", "", "members drawn at random from ranges"},
    CaseKey{"sweep.sample.method", "random or latin_hypercube", "random",
            "latin_hypercube: each range is divided into as many parts as there are samples, with one value "
            "in each part"},
    CaseKey{"sweep.sample.count", "whole number > 0", "required", "number of members"},
    CaseKey{"sweep.sample.seed", "whole number >= 0", "1",
            "seed of the random numbers; another seed draws other values"},
    CaseKey{"sweep.sample.keys", "map of key to range", "required", "the keys to draw, each with a range"},
    CaseKey{"sweep.subvolumes", "map", "",
            "effective: cubes of several sizes, cut out of the image side by side; the run ends with a table "
            "of their mean and standard deviation by size"},
    CaseKey{"sweep.subvolumes.edges", "list of whole numbers", "required", "sizes of the cubes, in voxels"},
    CaseKey{"sweep.subvolumes.most", "whole number > 0", "all that fit",
            "at most so many cubes of each size, drawn at random; the same ones in every run"},
    CaseKey{"sweep.file", "file name", "",
            "file of comma-separated values: key paths in the first line, one member in each other line"},
};

}  // namespace

std::span<const CaseKey> sweep_keys() {
    return of_sweep;
}

bool is_of_swept_range(const std::vector<std::string> &parts) {
    return parts.size() > 2 && parts[0] == "sweep" && parts[1] != "subvolumes" &&
           (parts[1] != "sample" || (parts.size() > 3 && parts[2] == "keys"));
}

}  // namespace perdure
