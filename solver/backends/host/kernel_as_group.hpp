// Calls a kernel with its buffers as one group of host threads.
#pragma once

#include <cstddef>
#include <utility>

#include "kernels/parameters.h"

namespace perdure::host {

template <auto kernel, typename... Pointers, std::size_t... index>
void call(const run_parameters_t &parameters, void *const *buffers, void (*)(run_parameters_t, Pointers...),
          std::index_sequence<index...>) {
    kernel(parameters, static_cast<Pointers>(buffers[index])...);
}

template <auto kernel, typename... Pointers>
void call(const run_parameters_t &parameters, void *const *buffers,
          void (*type)(run_parameters_t, Pointers...)) {
    call<kernel>(parameters, buffers, type, std::index_sequence_for<Pointers...>{});
}

template <auto kernel>
void with_buffers(const run_parameters_t &parameters, void *const *buffers) {
    call<kernel>(parameters, buffers, kernel);
}

}  // namespace perdure::host
