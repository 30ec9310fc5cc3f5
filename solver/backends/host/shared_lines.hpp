// Lines of cells that ranks take turns in: a transposition among them by MPI.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/backends/host/rank_lines.hpp"
#include "solver/ranks/ranks.hpp"

namespace perdure::host {

class SharedLines {
  public:
    explicit SharedLines(Ranks &ranks) : ranks_(ranks) {}

    /// All pieces of a buffer that `transfers` names go where they are needed. All ranks call it for the same array.
    void exchange(std::byte *buffer, const LineTransfers &transfers);

  private:
    Ranks &ranks_;
    std::vector<std::vector<std::byte>> to_, from_;  // messages, kept for the next exchange
};

}  // namespace perdure::host
