// Experiments on a device without correct synchronisation, with the kernels of kernels/litmus.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/enum_names.hpp"

namespace perdure::litmus {

/// What the memory model says of the outcome that an experiment looks for.
enum class Model {
    never,     // it cannot be: a device on which it is seen is broken
    may,       // it can be, and says so
    race,      // plain accesses race: nothing is promised
    no_matter  // not a question of memory
};

}  // namespace perdure::litmus

namespace perdure {

template <>
inline constexpr std::array enum_names<litmus::Model>{
    NamedValue{litmus::Model::never, "never"}, NamedValue{litmus::Model::may, "may"},
    NamedValue{litmus::Model::race, "race"}, NamedValue{litmus::Model::no_matter, "-"}};

}  // namespace perdure

namespace perdure::litmus {

/// How often the outcome was seen in one form of an experiment.
struct Outcome {
    std::string variant;
    Model model = Model::no_matter;
    std::uint64_t trials = 0;
    std::uint64_t seen = 0;
    std::uint64_t waits_given_up = 0;
    double seconds = 0.0;  // of the launch
    std::string note;      // what else there is to say
};

struct Result {
    std::string experiment;
    std::string question;  // what is tried, and what is counted as seen
    std::string shape;     // "132 groups of 256"
    std::string skipped;   // why it was not tried; empty: it was
    std::vector<Outcome> outcomes;
    std::string remark;  // what it shows, on this device
};

struct Experiment {
    std::string name;
    std::function<Result(Device &)> run;  // throws Failure(device)
};

/// In the order in which they are best read.
const std::vector<Experiment> &experiments();

/// A barrier with a group more than the device holds: refused by the plan, and forced.
Result try_too_many_groups(Device &device);

/// A form that is right and yet failed, or a wait that ran out: the device cannot be trusted.
bool is_broken(const Outcome &outcome);

/// What the words of name() mean, and an experiment as a table, in at most 100 columns.
std::string model_legend();
std::string table(const Result &result);

}  // namespace perdure::litmus
