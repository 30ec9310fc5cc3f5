// XXH3 hashes of 128 bits.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace perdure {

/// Of bytes that come one after another.
class Hash {
  public:
    Hash();
    Hash(const Hash &) = delete;
    Hash &operator=(const Hash &) = delete;
    ~Hash();

    void add(std::string_view bytes);
    /// 32 hexadecimal digits.
    [[nodiscard]] std::string text() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

std::string hash_of(std::string_view bytes);

}  // namespace perdure
