
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solver/commands/commands.hpp"
#include "solver/commands/lead_ranks.hpp"
#include "solver/equations/equation.hpp"
#include "solver/in_words.hpp"
#include "solver/messages.hpp"
#include "solver/output/check_output.hpp"
#include "solver/ranks/ranks.hpp"
#include "solver/run/host_memory.hpp"
#include "solver/run/readable_bytes.hpp"
#include "solver/run/run_case.hpp"

namespace perdure::commands {
namespace {

/// How a case would run, in words.
std::string plan_of(const PreparedCase &prepared) {
    const Config &config = prepared.config;
    if (prepared.plan.method->in_time) {
        const TimeSegment last = time_segments(prepared).back();
        return config.time->courant
                   ? fmt::format("adaptive time steps with a CFL number of {:g}", *config.time->courant)
               : prepared.plan.method->chooses_steps
                   ? fmt::format("adaptive time steps with error tolerances rtol {:g} and atol {:g}",
                                 config.time->rtol, config.time->atol)
                   : fmt::format("{} of {:.6g}{}",
                                 count_of(std::int64_t{last.first_step} + last.steps, "time step"), last.step,
                                 unit_in_words(config.units.time));
    }
    std::string what = fmt::format("{}, at most {}", prepared.plan.method->title,
                                   count_of(config.solver.max_iterations, "iteration"));
    const char *before = ", along ";
    for (const int axis : directions_of(config)) {
        what += fmt::format("{}{}", std::exchange(before, ", "), name(static_cast<Axis>(axis)));
    }
    return what;
}

std::string device_of(const PreparedCase &prepared) {
    return fmt::format("{} ({})", prepared.selected.device->description().name, prepared.selected.in_short);
}

/// What the members of a sweep have in common, for one line about all of them.
class SweepInWords {
  public:
    void add(const PreparedCase &prepared, const HostBytes &host) {
        const Config &config = prepared.config;
        if (checked_ > 0 && config.path != path_) {
            print();
        }
        path_ = config.path;
        members_ = config.sweep->count;
        device_ = device_of(prepared);
        const std::int64_t cells = prepared.problem.grid.count();
        cells_ = {checked_ == 0 ? cells : std::min(cells_.first, cells), std::max(cells_.second, cells)};
        device_bytes_ = std::max(device_bytes_, static_cast<double>(prepared.plan.least_bytes));
        host_bytes_ = std::max(host_bytes_, static_cast<double>(host.peak));
        ++checked_;
    }

    /// Nothing where no member was valid.
    void print() {
        if (checked_ > 0) {
            const auto [least, most] = cells_;
            print_output(
                "{}: valid: {}{}, each of {} cells; would run on {}, with up to {} of device memory and "
                "about "
                "{} of host memory (--verbose lists the members)\n",
                path_.string(), checked_ == members_ ? "" : fmt::format("{} of ", checked_),
                count_of(members_, "member"),
                least == most ? fmt::to_string(most) : fmt::format("{} to {}", least, most), device_,
                readable_bytes(device_bytes_), readable_bytes(host_bytes_));
        }
        *this = SweepInWords();
    }

  private:
    std::filesystem::path path_;
    std::string device_;
    std::size_t members_ = 0, checked_ = 0;
    std::pair<std::int64_t, std::int64_t> cells_{0, 0};
    double device_bytes_ = 0.0, host_bytes_ = 0.0;
};

/// The cases of a call, one after the other.
class Validation {
  public:
    explicit Validation(CaseOptions &options) : options_(options) {}

    ExitCode one(const Config &config) {
        PreparedCase prepared = prepare_case(config, [&] { check_output_names(config); });
        prepared.cells = known_cells(prepared);
        prepared.keeps_unwritten = false;  // as `run` has it
        for (const Diagnostic &warning : prepared.problem.warnings) {
            if (const std::string text = to_text(warning); warned_.insert(text).second) {
                print_message("{}\n", text);
            }
        }
        const HostBytes host = host_bytes(prepared);
        options_.json.add(of_case(config, {{"valid", true},
                                           {"cells", prepared.problem.grid.count()},
                                           {"excluded_cells", count_excluded(prepared.cells)},
                                           {"assumed", config.assumed},
                                           {"device_bytes", prepared.plan.least_bytes},
                                           {"host_bytes", host.peak},
                                           {"field_bytes", host.fields},
                                           {"device", prepared.selected.device->description().name}}),
                          -1);
        if (options_.json.alone() || options_.quiet) {
            return ExitCode::success;
        }
        if (config.sweep && !options_.verbose) {
            sweep_.add(prepared, host);
            return ExitCode::success;
        }
        sweep_.print();
        print_output(
            "{}: valid: {} ({} solid or cut off), {}; would run on {} in {} of {}, with at least {} of "
            "device "
            "memory{} and about {} of host memory{}\n",
            label(config), count_of(prepared.problem.grid.count(), "cell"), count_excluded(prepared.cells),
            plan_of(prepared), device_of(prepared), count_of(prepared.plan.shape.groups, "group"),
            count_of(prepared.plan.shape.group_size, "item"),
            readable_bytes(static_cast<double>(prepared.plan.least_bytes)),
            ranks() != nullptr ? " in each process" : "", readable_bytes(static_cast<double>(host.peak)),
            ranks() != nullptr ? " in that which writes the result" : "");
        return ExitCode::success;
    }

    ExitCode end(ExitCode worst) {
        sweep_.print();
        return worst;
    }

  private:
    CaseOptions &options_;
    SweepInWords sweep_;
    std::set<std::string> warned_;  // of members that share it
};

/// Preparing a case takes some milliseconds: of the very many members of a sweep, which are read one and all, some are prepared.
void thin_out(std::vector<BatchCase> &batch) {
    constexpr std::size_t most_prepared = 1000;
    const auto is_member = [](const BatchCase &one) { return one.is_good() && one.file->has_sweep(); };
    const auto members = static_cast<std::size_t>(std::count_if(batch.begin(), batch.end(), is_member));
    if (members <= most_prepared) {
        return;
    }
    const std::size_t distance = (members - 1) / most_prepared + 1;
    std::size_t number = 0;
    std::erase_if(batch, [&](const BatchCase &one) { return is_member(one) && number++ % distance != 0; });
    print_message(
        "the keys and values of all {} members were checked, and one member in {} was also prepared as for a "
        "run; --member I and --shard I/N prepare others\n",
        members, distance);
}

}  // namespace

namespace {

ExitCode validate_cases(CaseOptions &options) {
    std::vector<BatchCase> batch = load_batch(options);
    thin_out(batch);
    Validation validation(options);
    return for_each_case(
        options, batch, [&](const Config &config) { return validation.one(config); }, {},
        [&](ExitCode worst) { return validation.end(worst); });
}

}  // namespace

ExitCode validate(CaseOptions &options) {
    return by_all_ranks([&] { return validate_cases(options); });
}

}  // namespace perdure::commands
