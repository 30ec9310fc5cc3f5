// Numbers of bytes for people.
#pragma once

#include <string>

namespace perdure {

/// "1.5 GiB"
std::string readable_bytes(double bytes);

}  // namespace perdure
