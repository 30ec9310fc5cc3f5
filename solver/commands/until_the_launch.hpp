// What ranks agree upon before they launch a case together: that none of them has failed.
#pragma once

#include <string>

#include "solver/failure.hpp"
#include "solver/ranks/ranks.hpp"
#include "solver/run/run_case.hpp"

namespace perdure::commands {

/// The time before the first launch, in which a case may turn out to be wrong: no rank launches unless all can.
class UntilTheLaunch {
  public:
    /// Another rank has failed.
    class Stopped {};

    void agree_before_launch(PreparedCase &prepared) {
        prepared.before_launch = [this, before = prepared.before_launch](const run_parameters_t &parameters) {
            agree();
            before(parameters);
        };
    }

    /// The same behind a case that needed no launch, such as an image in which nothing conducts.
    void agree_without_launch() {
        if (!is_over_) {
            agree();
        }
    }

    /// This rank has failed. Where rank 0 has failed as well, the case is wrong: rank 0 says why, all go on with the next case, and this
    /// function returns. Where it has not, or a rank fails in the midst of a run, all processes end.
    void fail(ExitCode code, const std::string &why) {
        if (is_over_ || (first_rank_where(true) != 0 && ranks()->index() > 0)) {
            ranks()->give_up(static_cast<int>(code), why);
        }
    }

    [[nodiscard]] bool is_over() const { return is_over_; }

  private:
    void agree() {
        is_over_ = true;
        if (in_any_rank(false)) {
            throw Stopped();
        }
    }

    bool is_over_ = false;
};

}  // namespace perdure::commands
