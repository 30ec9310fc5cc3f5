#include "solver/measure/compare/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>

#include <fmt/format.h>

#include "solver/measure/compare/copy_speed.hpp"
#include "solver/measure/compare/sampled_case.hpp"
#include "solver/measure/compare/scale_case.hpp"
#include "solver/ranks/ranks.hpp"
#include "solver/run/choose_barrier.hpp"
#include "solver/run/execution_models.hpp"
#include "solver/run/interrupt.hpp"

namespace perdure::compare {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int copy_launches = 5;
constexpr std::int64_t smallest_automatic_size = 16;
constexpr double longest_automatic_point = 60.0;  // s, where no time limit is given

double seconds_between(Clock::time_point begin, Clock::time_point end) {
    return std::chrono::duration<double>(end - begin).count();
}

bool is_stopped() {
    return in_any_rank(interrupted());
}

/// One device and all that is measured on it.
class DeviceSweep {
  public:
    DeviceSweep(const Config &config, const SweepOptions &options, BackendChoice backend, Deadline deadline,
                Comparison &comparison, const std::function<void(const Point &)> &changed)
        : config_(config),
          options_(options),
          deadline_(deadline),
          comparison_(comparison),
          changed_(changed) {
        config_.execution.backend = backend;
        if (backend != config.execution.backend) {
            config_.execution.device.reset();
        }
        if (!options.backends.empty()) {
            config_.execution.backend_position = {};
        }
        selected_ = select_device(config_.execution,
                                  options.backends.empty() ? AskedBy::case_file : AskedBy::backends_option);
        for (const Contender &contender : options.contenders) {
            refuse_missing(contender);
        }
        note_device();
    }

    void run() {
        measure_copy();
        if (options_.automatic_sizes) {
            run_automatic_sizes();
            return;
        }
        const std::vector<std::int64_t> own{own_size(config_)};
        for (const std::int64_t size : options_.sizes.empty() ? own : options_.sizes) {
            run_size(size);
        }
        sampled_.forget();
    }

  private:
    enum class End { done, too_large, out_of_time };

    [[nodiscard]] Device &device() const { return *selected_.device; }

    void refuse_missing(const Contender &contender) {
        if (contender.refuse) {
            Config config = config_;
            config.execution.model = contender.model;
            config.execution.barrier = contender.barrier;
            check_model(config, device().description());
            check_barrier(config, device().description(), device().default_group_size());
        }
    }

    void note_device() {
        const DeviceDescription &description = device().description();
        for (const DeviceNote &known : comparison_.devices) {
            if (known.backend != name(description.backend)) {
                continue;
            }
            if (known.name != description.name || known.driver != description.driver) {
                throw Failure(ExitCode::case_or_usage,
                              fmt::format("--json: the file holds a comparison on another device, {} ({}), "
                                          "but this is {} ({}); delete it or name another file",
                                          known.name, known.driver, description.name, description.driver));
            }
            return;
        }
        DeviceNote note;
        note.backend = name(description.backend);
        note.name = description.name;
        note.driver = description.driver;
        note.compute_units = description.compute_units;
        note.gpu = description.gpu;
        for (const Contender &contender : options_.contenders) {
            const std::string missing = model_missing(device(), contender.model);
            if (!missing.empty()) {
                note.missing.push_back({contender.name, missing});
            }
        }
        comparison_.devices.push_back(note);
    }

    /// Unless an earlier call has.
    void measure_copy() {
        const DeviceDescription &description = device().description();
        for (DeviceNote &note : comparison_.devices) {
            if (note.backend == name(description.backend) && note.copy_bytes_per_second <= 0.0) {
                note.copy_bytes_per_second =
                    copy_speed_of_ranks(device(), more_than_a_cache(description), copy_launches);
            }
        }
    }

    void run_automatic_sizes() {
        const std::int64_t own = own_size(config_);
        run_size(own);
        if (const auto key = fixed_by_dataset(config_)) {
            comparison_.not_measured.push_back({"sizes other than the case's own",
                                                fmt::format("the shape of {} is fixed by a dataset", *key)});
            return;
        }
        for (std::int64_t size = own / 2; size >= smallest_automatic_size; size /= 2) {
            run_size(size);
        }
        for (std::int64_t size = 2 * own; run_size(size) == End::done; size *= 2) {
        }
    }

    End run_size(std::int64_t size) {
        std::optional<Config> config;
        try {
            config = at_size(config_, size);
        } catch (const Failure &failure) {
            if (!options_.automatic_sizes) {
                throw;
            }
            leave_out(size, "", failure.what());
            return End::too_large;
        }
        sampled_.forget();
        End end = End::done;
        const std::vector<Precision> own{config->execution.precision};
        for (const Precision precision : options_.precisions.empty() ? own : options_.precisions) {
            config->execution.precision = precision;
            end = std::max(end, run_point(*config, size));
        }
        return end;
    }

    End run_point(const Config &config, std::int64_t size) {
        const char *const precision = name(config.execution.precision);
        if (const Point *const earlier = known(config); earlier != nullptr) {
            last_seconds_ = earlier->seconds;
            return is_stopped() ? End::out_of_time : End::done;
        }
        if (const std::string why = why_not_now(config, size); !why.empty()) {
            leave_out(size, precision, why);
            return End::out_of_time;
        }
        try {
            const Clock::time_point start = Clock::now();
            in_all_ranks([&] { sampled_.prepare(config, device()); });
            Point point = measure_point({config, sampled_.problem(), sampled_.cells(), device(),
                                         options_.contenders, options_.repetitions, options_.iterations,
                                         deadline_, !overhead_is_known(), options_.run_seconds});
            point.seconds = seconds_of_slowest(seconds_between(start, Clock::now()));
            last_seconds_ = point.seconds;
            return take(point, size);
        } catch (const Failure &failure) {
            if (failure.code() != ExitCode::device && failure.code() != ExitCode::numerical) {
                throw;
            }
            comparison_.why_nothing = failure.code();
            leave_out(size, precision, failure.what());
        } catch (const std::bad_alloc &) {
            comparison_.why_nothing = ExitCode::device;
            leave_out(size, precision, "not enough memory on the host");
        }
        return End::too_large;
    }

    /// What the comparison adds is measured at one point of each device.
    [[nodiscard]] bool overhead_is_known() const {
        return std::any_of(comparison_.points.begin(), comparison_.points.end(), [&](const Point &point) {
            return point.backend == name(device().description().backend) &&
                   std::any_of(point.results.begin(), point.results.end(),
                               [](const Result &result) { return !result.bare_seconds.empty(); });
        });
    }

    End take(const Point &point, std::int64_t size) {
        comparison_.out_of_time |= !point.complete && !is_stopped() && point.usable();
        if (point.rounds == 0 && point.usable()) {
            leave_out(size, point.precision, is_stopped() ? "stopped" : "out of time");
            return End::out_of_time;
        }
        if (Point *const before = earlier(point); before == nullptr) {
            comparison_.points.push_back(point);
        } else if (point.rounds >= before->rounds || !before->right()) {
            *before = point;
        }
        changed_(*earlier(point));
        return point.complete ? End::done : End::out_of_time;
    }

    /// Of the same device, precision and shape, from an earlier call; nullptr: none.
    Point *earlier(const Point &place) {
        auto &points = comparison_.points;
        const auto found = std::find_if(points.begin(), points.end(),
                                        [&](const Point &point) { return point.is_at(place); });
        return found == points.end() ? nullptr : &*found;
    }

    /// A point of an earlier call that is whole and right; others are measured again.
    const Point *known(const Config &config) {
        const auto &cells = config.grid.cells;
        Point place;
        place.backend = name(device().description().backend);
        place.device = device().description().name;
        place.precision = name(config.execution.precision);
        place.shape = {cells.rend() - config.grid.dimensions, cells.rend()};
        const Point *const found = earlier(place);
        return found != nullptr && found->complete && found->right() ? found : nullptr;
    }

    std::string why_not_now(const Config &config, std::int64_t size) {
        if (is_stopped()) {
            return "stopped";
        }
        const double left = deadline_ ? -seconds_of_slowest(-seconds_between(Clock::now(), *deadline_)) : 0.0;
        if (deadline_ && left <= 0.0) {
            comparison_.out_of_time = true;
            return "out of time";
        }
        if (options_.automatic_sizes && size > own_size(config_)) {
            const double expected = last_seconds_ * std::pow(2.0, config.grid.dimensions);
            if (expected > (deadline_ ? left : longest_automatic_point)) {
                comparison_.out_of_time |= deadline_.has_value();
                return fmt::format(
                    "it would take about {:.0f} s{}", expected,
                    deadline_ ? ", longer than the time left" : "; name it in --sizes to measure it anyway");
            }
        }
        return {};
    }

    void leave_out(std::int64_t size, const std::string &precision, const std::string &why) {
        comparison_.not_measured.push_back({fmt::format("{}{}{} on {}", size, precision.empty() ? "" : " in ",
                                                        precision, device().description().name),
                                            why});
    }

    Config config_;
    const SweepOptions &options_;
    Deadline deadline_;
    Comparison &comparison_;
    const std::function<void(const Point &)> &changed_;
    SelectedDevice selected_;
    SampledCase sampled_;  // of the size at hand
    double last_seconds_ = 0.0;
};

}  // namespace

void sweep(const Config &config, const SweepOptions &options, Comparison &comparison,
           const std::function<void(const Point &)> &changed) {
    Deadline deadline;
    if (options.time_limit > 0.0) {
        deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(options.time_limit));
    }
    const std::vector<BackendChoice> own{config.execution.backend};
    std::vector<std::unique_ptr<DeviceSweep>> devices;  // what is refused is refused before the work
    in_all_ranks([&] {
        for (const BackendChoice backend : options.backends.empty() ? own : options.backends) {
            devices.push_back(
                std::make_unique<DeviceSweep>(config, options, backend, deadline, comparison, changed));
        }
    });
    for (const auto &device : devices) {
        device->run();
    }
    comparison.stopped = is_stopped();
}

}  // namespace perdure::compare
