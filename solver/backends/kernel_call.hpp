// A kernel with its arguments, as the solver asks a back end for them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "solver/backends/byte_ranges.hpp"
#include "solver/backends/kernel_variant.hpp"
#include "solver/cell_range.hpp"

namespace perdure {

/// Memory on a device, whoever holds it last frees it; what it points to, the back end knows.
using SharedMemory = std::shared_ptr<void>;

/// How ranks that share a case (solver/ranks) hold a buffer.
enum class AmongRanks {
    each,   // every rank has its own, with the same values: tables, the state
    cells,  // a value for each cell, or several fields of them: a rank has those of its part, and copies of the cells beside it
    single  // one rank makes each word, the others leave it at zero
};

/// One argument of a kernel after the parameters: device memory, filled from `initial` or with zeros.
struct KernelBuffer {
    std::string name;
    std::size_t bytes = 0;
    const void *initial = nullptr;
    SharedMemory taken = nullptr;  // of another run of the device and of as many bytes; null: newly allocated
    bool as_it_stands = false;     // not filled: what was taken stays, what is new is written later
    // Bytes at which arrays begin that devices which share a case have their part of each; none: it is one array.
    std::vector<std::size_t> arrays = {};
    AmongRanks among_ranks = AmongRanks::each;
    bool read_behind_launch = false;  // by the host, behind each: a back end may bring it along
    // Of a rank that holds a part of each array: the bytes of its planes and of those near them, in order and without overlap. Its kernels
    // read and write no others, and back ends need memory for these alone. None: it holds the whole buffer.
    std::vector<ByteRange> held = {};
};

/// What of bytes `offset` to `offset` + `bytes` - 1 a rank holds of a buffer; elsewhere these.
inline std::vector<ByteRange> held_between(const KernelBuffer &buffer, std::size_t offset,
                                           std::size_t bytes) {
    return buffer.held.empty() ? std::vector<ByteRange>{{offset, bytes}}
                               : overlap_of(buffer.held, {offset, bytes});
}

/// Bytes of a buffer that this process has memory for.
inline std::size_t held_bytes(const KernelBuffer &buffer) {
    return sum_of(held_between(buffer, 0, buffer.bytes));
}

template <typename Values>
KernelBuffer buffer_of(const std::string &name, const Values &values) {
    return {name, values.size() * sizeof(typename Values::value_type), values.data()};
}

/// What back ends know of the arguments of a kernel: all have these first.
enum KnownBuffer : std::size_t { buffer_control, buffer_sync, buffer_state };

/// A kernel of kernels/list.h (or barrier_self_test) with its buffers in the order of its arguments:
/// control_t, grid_sync_t, run_state_t, then its own. A buffer of 0 bytes is given at least one element.
/// A kernel without the form is taken for any problem: the bits are the same.
struct KernelCall {
    std::string kernel;
    Precision precision = Precision::float64;
    std::vector<KernelBuffer> buffers;
    KernelForm form = KernelForm::any;
    bool cooperative = false;         // with the platform's own grid barrier
    std::string definitions = {};     // of the case, which the kernel is compiled for
    bool read_while_running = false;  // DeviceRun::read_while_running() will be called
    bool ensemble = false;            // a member of an ensemble: started by Device::launch_members() alone
    int reach = 1;                    // cells that a phase looks away along the last axis
    // Of a rank that holds a part of each array: the cells that its buffers have values of, in order; none: all.
    std::vector<CellRange> held_cells = {};

    [[nodiscard]] KernelVariant variant() const {
        return {kernel, precision, form, cooperative, definitions, ensemble};
    }
    /// The place of a buffer among the arguments; none where there is none of that name.
    [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const {
        for (std::size_t place = 0; place < buffers.size(); ++place) {
            if (buffers[place].name == name) {
                return place;
            }
        }
        return {};
    }
    /// The same. Throws std::logic_error where there is none.
    [[nodiscard]] std::size_t place_of(std::string_view name) const {
        if (const std::optional<std::size_t> place = find(name)) {
            return *place;
        }
        throw std::logic_error("kernel " + kernel + " has no argument " + std::string(name));
    }
};

}  // namespace perdure
