// Finds a row in a constant table, such as that of an equation, a method or a quantity.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <type_traits>

namespace perdure {

/// The first row of `table` whose `column` is `value`. Throws std::logic_error(`missing`) where there is none: every enumerator
/// has its row.
template <typename Table, typename Row, typename Value>
const Row &row_where(const Table &table, Value Row::*column, const std::type_identity_t<Value> &value,
                     const char *missing) {
    const auto found =
        std::find_if(table.begin(), table.end(), [&](const Row &row) { return row.*column == value; });
    if (found == table.end()) {
        throw std::logic_error(missing);
    }
    return *found;
}

}  // namespace perdure
