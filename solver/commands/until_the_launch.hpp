// What ranks agree upon before they launch a case together: that none of them has failed.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "solver/failure.hpp"
#include "solver/ranks/ranks.hpp"
#include "solver/run/run_case.hpp"

namespace perdure::commands {

/// The number of the first rank that has failed; that of all ranks where none has. All call it.
inline int first_that_failed(bool here) {
    std::int64_t least = here ? ranks()->index() : ranks()->count();
    ranks()->least({&least, 1});
    return static_cast<int>(least);
}

/// The time before the first launch, in which a case may turn out to be wrong: no rank launches unless all can.
class UntilTheLaunch {
  public:
    /// Another rank has failed.
    class Stopped {};

    void agree_before_launch(PreparedCase &prepared) {
        prepared.before_launch = [this, before = prepared.before_launch](const run_parameters_t &parameters) {
            is_over_ = true;
            if (first_that_failed(false) < ranks()->count()) {
                throw Stopped();
            }
            before(parameters);
        };
    }

    /// The same behind a case that needed no launch, such as an image in which nothing conducts.
    void agree_without_launch() {
        if (!std::exchange(is_over_, true) && first_that_failed(false) < ranks()->count()) {
            throw Stopped();
        }
    }

    /// This rank has failed. Where rank 0 has failed as well, the case is wrong: rank 0 says why, all go on with the next case, and this
    /// function returns. Where it has not, or a rank fails in the midst of a run, all processes end.
    void fail(ExitCode code, const std::string &why) {
        if (is_over_ || (first_that_failed(true) != 0 && ranks()->index() > 0)) {
            ranks()->give_up(static_cast<int>(code), why);
        }
    }

    [[nodiscard]] bool is_over() const { return is_over_; }

  private:
    bool is_over_ = false;
};

}  // namespace perdure::commands
