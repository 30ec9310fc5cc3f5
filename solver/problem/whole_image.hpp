// Labels of a whole image, read once for all its parts that the cases of a batch consist of.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "solver/case_file/value_source.hpp"
#include "solver/problem/large_vector.hpp"

namespace perdure {

class WholeImage {
  public:
    /// Of the file as it is at this moment, once it is asked for twice in a row. Null where the part is to be read from the file: the first
    /// time, for it may be the only one, and where a label does not fit into a byte. Throws as read_labels().
    static std::shared_ptr<const WholeImage> of(const ValueSource &source);

    /// Calls use(labels, index in the part of the first of them) for each row of the part of that shape, slowest axis first.
    void for_each_row(const DatasetPart &part, const std::vector<std::int64_t> &shape,
                      const std::function<void(std::span<const std::int64_t>, std::int64_t)> &use) const;

  private:
    LargeVector<std::uint8_t> labels_;
};

}  // namespace perdure
