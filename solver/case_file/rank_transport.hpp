// By what way the GPUs of processes that share a case tell each other what they have made.
#pragma once

#include <array>

#include "solver/enum_names.hpp"

namespace perdure {

enum class RankTransport { automatic, peer, nvshmem };

template <>
inline constexpr std::array enum_names<RankTransport>{NamedValue{RankTransport::automatic, "auto"},
                                                      NamedValue{RankTransport::peer, "peer"},
                                                      NamedValue{RankTransport::nvshmem, "nvshmem"}};

}  // namespace perdure
