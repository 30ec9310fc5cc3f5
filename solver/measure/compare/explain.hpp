// perdure run --explain: prints the expected time of a run before it, and the measured time after it.
#pragma once

#include <string>

#include "solver/run/measurements.hpp"

namespace perdure::compare {

class Explanation : public RunExplainer {
  public:
    /// Measures a copy of as many bytes as the run's fields have, or of more than a cache holds: what memory gives. `prepared` must
    /// outlive it. Throws Failure(device).
    explicit Explanation(const PreparedCase &prepared);

    /// The plan, in lines: what runs in which shape, what an iteration or step must move, how often it synchronises, and how long that
    /// takes by a copy's speed and the barrier as it was measured (resident kernels: by what they were measured to take on an H100). Then
    /// where the time of the case went so far, and what launch, download and write will take.
    [[nodiscard]] std::string plan(const run_parameters_t &parameters) override;

    /// What it took, as one more line. Empty where no iteration was made.
    [[nodiscard]] std::string result(const Report &report) const override;

  private:
    void explain_phases(const run_parameters_t &parameters, std::string &text);
    void explain_resident(const run_parameters_t &parameters, std::string &text);
    void explain_resident_cg(const run_parameters_t &parameters, std::string &text);
    [[nodiscard]] std::string parts(const run_parameters_t &parameters) const;
    [[nodiscard]] const char *unit() const;
    [[nodiscard]] const char *article() const;
    [[nodiscard]] const char *expected_name() const;

    const PreparedCase &prepared_;
    double copy_bytes_per_second_;
    std::string said_;               // the plan of the call before
    double expected_seconds_ = 0.0;  // of an iteration or step, at least (phases) or about; 0: unknown
};

}  // namespace perdure::compare
