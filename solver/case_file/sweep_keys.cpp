#include "solver/case_file/sweep_keys.hpp"

#include <array>

namespace perdure {
namespace {

constexpr std::array of_sweep{
    CaseKey{"sweep", "map of key to list, or list of maps", "",
            "many cases in one: every combination of lists and ranges, or one map after the other; NAME is a "
            "key.path"},
    CaseKey{"sweep.NAME.from", "number", "required", "the first value of a range"},
    CaseKey{"sweep.NAME.to", "number", "required", "the last value of a range"},
    CaseKey{"sweep.NAME.count", "whole number > 1", "",
            "how many values a range has; required but in a sample"},
    CaseKey{"sweep.NAME.scale", "linear or log", "linear",
            "log: each value is the same multiple of the one before"},
    CaseKey{"sweep.zip", "map of key to list", "", "lists of one length, which go side by side"},
    CaseKey{"sweep.sample", "map", "", "members drawn from ranges"},
    CaseKey{"sweep.sample.method", "random or latin_hypercube", "random",
            "latin_hypercube: one value in each of as many parts of a range as there are samples"},
    CaseKey{"sweep.sample.count", "whole number > 0", "required", "how many members"},
    CaseKey{"sweep.sample.seed", "whole number >= 0", "1", "another one draws other values"},
    CaseKey{"sweep.sample.keys", "map of key to range", "required", "what is drawn, and from what"},
    CaseKey{"sweep.subvolumes", "map", "",
            "effective: cubes of several sizes, cut out of the image side by side; the run ends with a table "
            "of their mean and "
            "standard deviation by size"},
    CaseKey{"sweep.subvolumes.edges", "list of whole numbers", "required", "sizes of the cubes, in voxels"},
    CaseKey{"sweep.subvolumes.most", "whole number > 0", "all that fit",
            "of each size so many cubes, drawn at random; the same ones in every run"},
    CaseKey{"sweep.file", "file name", "",
            "a file of comma-separated values: key paths in its first line, a member in each other one"},
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
