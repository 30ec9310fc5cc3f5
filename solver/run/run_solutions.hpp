// Builds solutions, fields and report, from the data of a run on the device.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "solver/equations/equation.hpp"
#include "solver/output/derived_fields.hpp"
#include "solver/output/effective_properties.hpp"
#include "solver/output/energy_bounds.hpp"
#include "solver/output/error_norms.hpp"
#include "solver/output/outcome_values.hpp"
#include "solver/problem/large_vector.hpp"
#include "solver/ranks/ranks.hpp"
#include "solver/run/drive_launches.hpp"
#include "solver/run/finish_field.hpp"
#include "solver/run/image_operator.hpp"
#include "solver/run/later_needs.hpp"
#include "solver/run/read_history.hpp"
#include "solver/run/read_series.hpp"
#include "solver/run/run_memory.hpp"
#include "solver/run/run_report.hpp"
#include "solver/run/segments_of_run.hpp"
#include "solver/run/snapshot_ring.hpp"
#include "solver/run/work_done.hpp"

namespace perdure {

/// What it is made with must outlive it.
template <typename Real>
class RunSolutions {
  public:
    RunSolutions(const PreparedCase &prepared, const RunMemory<Real> &memory, const KernelCall &call,
                 DeviceRun &run, const LaunchDriver &driver, const RunWords &words, double time_step)
        : prepared_(prepared),
          memory_(memory),
          call_(call),
          run_(run),
          driver_(driver),
          words_(words),
          has_through_flow_(
              perdure::has_through_flow(prepared.problem.grid, prepared.problem.fields.front())),
          series_(watched_by(memory), call, run) {
        report_.time_step = time_step;
        report_.time_spent = prepared.time_spent;
    }

    [[nodiscard]] SeriesRows &series() { return series_; }
    [[nodiscard]] double device_seconds() const { return report_.device_seconds; }
    /// Another run has spent so much time on the device before.
    void continue_from(double device_seconds) {
        report_.device_seconds = report_.earlier_device_seconds = device_seconds;
    }

    void begin_launch(const run_state_t &state) {
        before_ = {state.control.phases, driver_.barriers(), report_.device_seconds, Clock::now()};
    }
    /// `alone`: by the clock of the device; the host may have noticed late.
    void end_launch(bool alone) {
        report_.device_seconds += alone ? run_.launch_seconds() : seconds_since(before_.begin);
    }

    /// `slot`: of a ring, which holds the values while the launch goes on; else they are read from the fields. `image`: may be null.
    Solution make(double time, run_state_t state, ImageSolve<Real> *image, const SnapshotRing::Read *slot) {
        const std::vector<Field> &fields = prepared_.problem.fields;
        Solution solution;
        if (image != nullptr) {
            report_.effective = image->through_flow(call_, run_, memory_.answer_buffer(state));
        }
        if (needs_fields(state)) {
            for (std::size_t i = 0; i < fields.size(); ++i) {
                if (!has_fields_here()) {
                    run_.read_for_first(memory_.answer_buffer(state, i), nullptr, field_bytes(),
                                        memory_.answer_offset(i));
                    continue;
                }
                LargeVector<Real> u = download(i, state, slot);
                finish_field(fields[i], prepared_.cells[i], u);
                solution.fields.push_back({fields[i].name, std::move(u), 1, fields[i].unit.value_or("1")});
            }
        }
        solution.time = time;
        solution.step = work_done(state);
        if (has_fields_here()) {
            add_made_of_fields(solution);
        }
        add_series(series_, state, prepared_.problem.grid, solution, report_);
        if (prepared_.config.sweep && state.control.stop != STOP_NONE && !report_.effective &&
            has_fields_here()) {
            report_.outcome_values = outcome_values(solution, prepared_.cells);
        }
        complete_report(solution, state, image, slot != nullptr);
        leave_unwritten_out(solution);
        return solution;
    }

  private:
    /// What is wrong in a cell is told with its field, and a run that was stopped as asked with the largest value.
    [[nodiscard]] bool needs_fields(const run_state_t &state) const {
        return looks_at_fields(prepared_, has_through_flow_) || state.control.bad_cell != NO_CELL ||
               state.control.stop == STOP_ASKED;
    }

    /// Of ranks the first alone has the values of all cells, which it writes; each takes part in what images need.
    [[nodiscard]] bool has_fields_here() const {
        return ranks() == nullptr || ranks()->index() == 0 || prepared_.config.effective;
    }
    [[nodiscard]] std::size_t field_bytes() const {
        return std::size_t{memory_.parameters().cells} * sizeof(Real);
    }

    void add_made_of_fields(Solution &solution) {
        const Config &config = prepared_.config;
        const Grid &grid = prepared_.problem.grid;
        if (!solution.fields.empty() && (report_.effective || has_through_flow_)) {
            complete_effective(grid, prepared_.problem.fields.front(), solution.fields.front().values,
                               report_.effective);
        }
        if (config.exact) {
            report_.errors = {error_norms(*config.exact, grid, prepared_.cells[0], solution.fields[0],
                                          config.time ? std::optional(solution.time) : std::nullopt)};
        }
        add_derived_fields(config, prepared_.problem, solution);
    }

    using Clock = std::chrono::steady_clock;

    static double seconds_since(Clock::time_point start) {
        return std::chrono::duration<double>(Clock::now() - start).count();
    }

    void leave_unwritten_out(Solution &solution) const {
        const std::vector<std::string> written = written_fields(prepared_.config);
        if (!written.empty()) {
            std::erase_if(solution.fields, [&](const FieldResult &field) {
                return std::find(written.begin(), written.end(), field.name) == written.end();
            });
        }
    }

    LargeVector<Real> download(std::size_t field, const run_state_t &state, const SnapshotRing::Read *slot) {
        const TimeSpent::Scope downloading(Activity::download);
        LargeVector<Real> u(memory_.parameters().cells);
        const std::size_t bytes = field_bytes();
        fetch_memory(u);
        if (slot != nullptr) {
            (*slot)(u.data(), bytes, field * bytes);
        } else if (prepared_.config.effective) {
            run_.read(memory_.answer_buffer(state, field), u.data(), bytes, memory_.answer_offset(field));
        } else {
            run_.read_for_first(memory_.answer_buffer(state, field), u.data(), bytes,
                                memory_.answer_offset(field));
        }
        return u;
    }

    /// `in_launch`: the device goes on meanwhile.
    void complete_report(Solution &solution, run_state_t &state, const ImageSolve<Real> *image,
                         bool in_launch) {
        Report report = report_;
        report.history =
            read_history(run_, call_.place_of("history"), state.control.history_length, in_launch);
        report.launches = driver_.launches();
        report.graph_launches = driver_.graph_launches();
        report.barriers = driver_.barriers();
        report.device_bytes = memory_.bytes();
        report.snapshot_wait = state.time.ring_wait;
        if (in_launch) {
            state.time.largest = report.history.back().residual;
            report.barriers = before_.barriers + state.control.phases - before_.phases;
            report.device_seconds = before_.device_seconds + seconds_since(before_.begin);
        }
        report_chosen_steps(*prepared_.plan.method, state, call_, run_, in_launch, report);
        if (image != nullptr) {
            report.launches += image->beside().launches;
            report.device_seconds += image->beside().seconds;
        }
        describe_run(prepared_, words_, memory_.parameters(), state, solution, report);
        report.time_spent->update();
        solution.report = std::move(report);
    }

    const PreparedCase &prepared_;
    const RunMemory<Real> &memory_;
    const KernelCall &call_;
    DeviceRun &run_;
    const LaunchDriver &driver_;
    const RunWords &words_;
    bool has_through_flow_;  // found before samples are given up
    SeriesRows series_;
    Report report_;  // what all solutions have in common
    struct {
        std::uint32_t phases = 0;
        std::int64_t barriers = 0;
        double device_seconds = 0.0;
        Clock::time_point begin;
    } before_;  // the launch under way
};

}  // namespace perdure
