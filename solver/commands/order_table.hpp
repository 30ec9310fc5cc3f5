// The table of observed orders: how errors against exact solutions decrease from grid to grid, or with the size of the steps in time.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "solver/case_file/config.hpp"

namespace perdure::commands {

class OrderTable {
  public:
    /// A case and its report, which may be null. One without an exact solution has no row.
    void add(const Config &config, const nlohmann::ordered_json &report);

    /// For each field the cases from the coarsest grid to the finest, each with the spacing h of its grid (the root of a cell's volume),
    /// the norms e of its error, and the observed order log(e' / e) / log(h' / h) from the case before it; of cases of one spacing,
    /// or with an error of 0, none. Where all have one spacing and their steps in time differ, the same with the size dt of a step in
    /// place of h.
    [[nodiscard]] std::string text() const;

  private:
    struct Row {
        double spacing = 0.0;
        double step = 0.0;  // in time; 0: steady
        std::vector<double> norms;
    };
    [[nodiscard]] static bool is_in_time(const std::vector<Row> &rows);

    std::map<std::string, std::vector<Row>> fields_;
};

}  // namespace perdure::commands
