// How effective properties of parts of an image depend on the size of the parts.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "solver/case_file/config.hpp"

namespace perdure::commands {

class SubvolumeTable {
  public:
    /// A case and its report, which may be null; another report of the same part replaces it. A case of a whole image has no row.
    void add(const Config &config, const nlohmann::ordered_json &report);

    /// For each size, from the smallest volume on, the number of parts, and mean and standard deviation between them of the fraction that
    /// conducts and of the coefficient along each direction. Empty where there is no part.
    [[nodiscard]] std::string text() const;

  private:
    using Figures = std::map<std::string, double>;               // by column; empty: there is no answer
    using Parts = std::map<std::vector<std::int64_t>, Figures>;  // by first cell
    std::map<std::vector<std::int64_t>, Parts> sizes_;           // by volume and shape
};

}  // namespace perdure::commands
