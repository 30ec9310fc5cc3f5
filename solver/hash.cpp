#include "solver/hash.hpp"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace perdure {

struct Hash::State {
    XXH3_state_t xxh3;
};

Hash::Hash() : state_(std::make_unique<State>()) {
    XXH3_INITSTATE(&state_->xxh3);
    XXH3_128bits_reset(&state_->xxh3);
}

Hash::~Hash() = default;

void Hash::add(std::string_view bytes) {
    XXH3_128bits_update(&state_->xxh3, bytes.data(), bytes.size());
}

std::string Hash::text() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh3);
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string hash_of(std::string_view bytes) {
    Hash hash;
    hash.add(bytes);
    return hash.text();
}

}  // namespace perdure
