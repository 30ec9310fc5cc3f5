// A solution in the order in which files store it: one field after the other, then the rest.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>

#include "solver/output/solution.hpp"

namespace perdure {

class SolutionParts {
  public:
    SolutionParts() = default;
    SolutionParts(const SolutionParts &) = delete;
    SolutionParts &operator=(const SolutionParts &) = delete;
    virtual ~SolutionParts() = default;

    /// The next field, valid until the next call; null pointer behind the last one.
    virtual const FieldResult *next() = 0;

    /// The solution, where all of it is there already; else a null pointer.
    [[nodiscard]] virtual const Solution *whole() const { return nullptr; }

    /// What the solution has besides fields. Call once next() has returned a null pointer.
    virtual const Solution &rest() = 0;
};

/// Of a solution that is there.
class WholeSolution : public SolutionParts {
  public:
    explicit WholeSolution(const Solution &solution) : solution_(solution) {}
    const FieldResult *next() override {
        return given_ < solution_.fields.size() ? &solution_.fields[given_++] : nullptr;
    }
    const Solution &rest() override { return solution_; }
    [[nodiscard]] const Solution *whole() const override { return &solution_; }

  private:
    const Solution &solution_;
    std::size_t given_ = 0;
};

/// Of a run that makes one field after the other, while another thread writes them. One is queued at most.
///
/// Publishes: a field by add(), the rest by finish(). Observed by the thread that calls next() and rest(); the edge is the mutex. Needs
/// progress of both threads: the reader waits for the next field until finish() or give_up(), the run for room until the reader
/// takes the queued field or calls stop_reading().
class FieldStream : public SolutionParts {
  public:
    /// Waits while a field is queued. False: nobody reads any more, and the field is lost.
    [[nodiscard]] bool add(FieldResult field);

    /// Behind the last field. `rest`: without fields.
    void finish(Solution rest);

    /// There will be no solution: next() throws std::runtime_error, unless finish() was called.
    void give_up();

    void stop_reading();

    const FieldResult *next() override;
    const Solution &rest() override;

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<FieldResult> queued_;
    std::optional<FieldResult> read_;  // of the reader alone
    std::optional<Solution> rest_;
    bool is_given_up_ = false, is_read_ = true;
};

}  // namespace perdure
