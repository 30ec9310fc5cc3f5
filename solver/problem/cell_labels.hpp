// The label of every cell, a byte each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace perdure {

/// Copies share the labels, which nobody changes.
class CellLabels {
  public:
    CellLabels() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): both are lists of labels
    CellLabels(std::vector<std::uint8_t> labels) : size_(labels.size()) {
        const auto owner = std::make_shared<const std::vector<std::uint8_t>>(std::move(labels));
        first_ = {owner, owner->data()};
    }

    [[nodiscard]] std::size_t size() const { return first_ == nullptr ? 0 : size_; }
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] const std::uint8_t *data() const { return first_.get(); }
    [[nodiscard]] const std::uint8_t *begin() const { return data(); }
    [[nodiscard]] const std::uint8_t *end() const { return data() + size(); }
    std::uint8_t operator[](std::size_t cell) const { return data()[cell]; }

  private:
    std::shared_ptr<const std::uint8_t> first_;
    std::size_t size_ = 0;
};

}  // namespace perdure
