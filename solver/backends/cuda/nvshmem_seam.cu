// What sync/put_signal.h calls of NVSHMEM on the device. Compiled with the program where its headers are, and linked with each kernel of ranks
// when that is compiled (link_kernels.hpp), so that kernels need none of those headers.
#include <nvshmem.h>
#include <nvshmemx.h>

extern "C" __device__ void perdure_nvshmem_put(void *to, const void *from, unsigned long long bytes,
                                               unsigned long long *signal, unsigned rank) {
    // Not nbi: phases that follow change `from`.
    nvshmemx_putmem_signal_block(to, from, bytes, reinterpret_cast<uint64_t *>(signal), 1, NVSHMEM_SIGNAL_ADD,
                                 static_cast<int>(rank));
}

extern "C" __device__ unsigned long long perdure_nvshmem_read(unsigned long long *signal) {
    return nvshmem_signal_fetch(reinterpret_cast<uint64_t *>(signal));
}

/// The word has grown to `least`: this wait, which ends at once, orders what comes after it.
extern "C" __device__ void perdure_nvshmem_acquire(unsigned long long *signal, unsigned long long least) {
    nvshmem_signal_wait_until(reinterpret_cast<uint64_t *>(signal), NVSHMEM_CMP_GE, least);
}
