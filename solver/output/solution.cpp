#include "solver/output/solution.hpp"

namespace perdure {

Report::Report() = default;
Report::Report(const Report &) = default;
Report::Report(Report &&) noexcept = default;
Report &Report::operator=(const Report &) = default;
Report &Report::operator=(Report &&) noexcept = default;
Report::~Report() = default;

}  // namespace perdure
