#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "kernels/bench/torus.h"
#include "solver/measure/bench/contenders.hpp"
#include "sync/barrier_reduce.h"
#include "sync/grid_reduce.h"
#include "sync/halo_exchange.h"

namespace perdure::bench {
namespace {

constexpr std::uint32_t array_elements = 1U << 16U;
constexpr int warp = 32;
constexpr std::size_t result_buffer = first_own_buffer + 2;

TimedKernel reduction(std::string name, const char *kernel, LaunchShape shape, double floor) {
    TimedKernel timed;
    timed.section = "reduction";
    timed.name = std::move(name);
    timed.kernel = kernel;
    timed.shape = shape;
    timed.floor = shape.groups > 1 ? floor : 0.0;
    return timed;
}

TimedKernel fused(LaunchShape shape, const Floors &floors) {
    TimedKernel timed =
        reduction("barrier and sum in one", "bench_barrier_reduce", shape, floors.barrier_and_sum());
    timed.buffers = {{"rows", reduce_rows_bytes(static_cast<std::uint32_t>(shape.groups)), nullptr}};
    return timed;
}

TimedKernel by_ticket(const char *spelling, const char *kernel, LaunchShape shape, const Floors &floors) {
    TimedKernel timed =
        reduction(fmt::format("last group ({}), go flag", spelling), kernel, shape, floors.last_group());
    timed.buffers = {{"values", sizeof(double) * (static_cast<std::size_t>(shape.groups) + 1), nullptr}};
    return timed;
}

/// See sync/grid_reduce.h.
std::string ticket_missing(Device &device, LaunchShape shape) {
    return shape.group_size > 1 && !device.description().gpu
               ? "PoCL loses tickets in a loop with a barrier, except with groups of 1"
               : "";
}

/// Sums 0, 1, ... array_elements - 1.
TimedKernel array_sum(const char *how, const char *kernel, LaunchShape shape) {
    TimedKernel timed = reduction(fmt::format("sum of {}, {}", array_elements, how), kernel, shape, 0.0);
    auto array = std::make_shared<std::vector<double>>(array_elements);
    std::iota(array->begin(), array->end(), 0.0);
    timed.initial = array;
    timed.parameters.elements = array_elements;
    timed.buffers = {{"array", sizeof(double) * array_elements, array->data()},
                     {"partials", sizeof(double) * reduce_chunks(array_elements), nullptr},
                     {"result", sizeof(double), nullptr}};
    return timed;
}

TimedKernel two_launches(LaunchShape shape) {
    TimedKernel timed = array_sum("two launches", "bench_array_launches", shape);
    timed.launches_per_round = 2;
    timed.waits = false;
    timed.completes = false;
    timed.count_wrong = [](DeviceRun &run, RoundsDone) -> std::uint64_t {
        double sum = 0.0;
        run.read(result_buffer, &sum, sizeof sum);
        return sum == 0.5 * array_elements * (array_elements - 1.0) ? 0 : 1;
    };
    return timed;
}

/// As square as the number of groups allows.
std::uint32_t shorter_side(std::uint32_t groups) {
    auto side = static_cast<std::uint32_t>(std::sqrt(groups));
    while (groups % side != 0) {
        --side;
    }
    return side;
}

TimedKernel halo(std::string name, const char *kernel, LaunchShape shape, std::uint32_t elements) {
    const auto groups = static_cast<std::uint32_t>(shape.groups);
    TimedKernel timed;
    timed.section = "halo";
    timed.name = std::move(name);
    timed.kernel = kernel;
    timed.shape = shape;
    timed.parameters.elements = elements;
    timed.parameters.nx = shorter_side(groups);
    timed.parameters.ny = groups / timed.parameters.nx;
    return timed;
}

/// Two copies of all edges of all groups.
std::size_t halo_doubles(LaunchShape shape, std::uint32_t elements) {
    return std::size_t{2} * TORUS_EDGES * edge_words(elements) * static_cast<std::size_t>(shape.groups);
}

std::string a_side(std::uint32_t elements) {
    return fmt::format("{} double{} per side", elements, elements == 1 ? "" : "s");
}

TimedKernel halo_words(LaunchShape shape, std::uint32_t elements) {
    const bool one_each = static_cast<std::uint32_t>(shape.group_size) >= TORUS_EDGES * elements &&
                          shape.group_size >= static_cast<int>(TORUS_EDGES) * warp;
    TimedKernel timed = halo("words, " + a_side(elements),
                             one_each ? "bench_halo_words" : "bench_halo_words_in_turn", shape, elements);
    timed.buffers = {{"inboxes", sizeof(epoch_word_t) * halo_doubles(shape, elements), nullptr}};
    return timed;
}

/// In lines that the receiving group chose as near to it (sync/nearest_line.h).
TimedKernel near_halo_words(LaunchShape shape, std::uint32_t elements) {
    TimedKernel timed = halo("near words, " + a_side(elements), "bench_halo_words_near", shape, elements);
    timed.buffers = {
        {"inboxes", line_pools_bytes(halo_line_pools(static_cast<std::uint32_t>(shape.groups))), nullptr}};
    if (shape.group_size < static_cast<int>(TORUS_EDGES) * warp) {
        timed.cannot_run = "one warp per edge needs groups of at least 128 items";
    }
    return timed;
}

TimedKernel halo_flags(LaunchShape shape, std::uint32_t elements) {
    TimedKernel timed = halo(elements == 0 ? "flags alone" : "flags, " + a_side(elements),
                             elements == 0 ? "bench_halo_flags_alone" : "bench_halo_flags", shape, elements);
    timed.buffers = {
        {"outboxes", sizeof(double) * halo_doubles(shape, elements), nullptr},
        {"flags", halo_flags_bytes(static_cast<std::uint32_t>(shape.groups), TORUS_EDGES), nullptr}};
    return timed;
}

}  // namespace

std::vector<TimedKernel> reductions(Device &device, LaunchShape shape, const Floors &floors) {
    std::vector<TimedKernel> list{
        fused(shape, floors),
        by_ticket("acq_rel", "bench_ticket_reduce", shape, floors),
        by_ticket("fence", "bench_ticket_reduce_fence", shape, floors),
    };
    for (const auto &[how, kernel] : {std::pair{"last group (acq_rel)", "bench_array_sum"},
                                      std::pair{"last group (fence)", "bench_array_sum_fence"}}) {
        list.push_back(array_sum(how, kernel, shape));
        list.back().cannot_run = ticket_missing(device, shape);
    }
    list.push_back(two_launches(shape));
    return list;
}

std::vector<TimedKernel> halo_exchanges(Device &device, LaunchShape shape, const Floors &floors) {
    std::vector<TimedKernel> list;
    for (const std::uint32_t elements : {1U, 8U, 32U, 128U}) {
        list.push_back(halo_words(shape, elements));
        list.back().floor = floors.halo_words();
    }
    for (const std::uint32_t elements : {1U, 8U}) {
        list.push_back(near_halo_words(shape, elements));
        list.back().floor = floors.halo_words();
    }
    for (const std::uint32_t elements : {0U, 1U, 8U, 32U, 128U}) {
        list.push_back(halo_flags(shape, elements));
        list.back().floor = elements == 0 ? floors.flags_alone() : floors.halo_flags();
    }
    for (TimedKernel &timed : list) {
        timed.floor = shape.groups > 1 ? timed.floor : 0.0;
        if (shape.group_size > 1 && !device.description().items_progress) {
            timed.cannot_run =
                "items of a group are not guaranteed independent progress here, so only groups of 1 are "
                "measured";
        }
    }
    return list;
}

}  // namespace perdure::bench
