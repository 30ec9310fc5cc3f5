#include <algorithm>

#include <fmt/format.h>

#include "kernels/litmus/variants.h"
#include "solver/measure/litmus/launch_experiment.hpp"

namespace perdure::litmus {
namespace {

/// GPUs run many short groups, processors few long ones.
struct Amounts {
    std::uint32_t gpu;
    std::uint32_t processor;
    [[nodiscard]] std::uint32_t of(const Device &device) const {
        return device.description().gpu ? gpu : processor;
    }
};

Result try_forms(Device &device, const char *name, std::string question, const char *kernel,
                 const std::vector<Variant> &variants, const Setup &setup, std::string remark) {
    Result result{name, std::move(question), {}, {}, {}, std::move(remark)};
    result.shape = fmt::format("{} groups of {}", setup.shape.groups, setup.shape.group_size);
    for (const Variant &variant : variants) {
        result.outcomes.push_back(launch_experiment(device, kernel, variant, setup));
    }
    return result;
}

Result skip(const char *name, std::string question, const char *why) {
    return {name, std::move(question), {}, why, {}, {}};
}

constexpr std::uint32_t overlapping_additions = 100;
constexpr std::uint32_t overlapping_loads = 1000;
constexpr const char *two_groups =
    "needs two groups that run at the same time, but this device guarantees only one";

Result lost_updates(Device &device) {
    const char *const kernel = "litmus_add_to_one_word";
    Setup setup{resident_shape(device, kernel, device.default_group_size(), 1 << 16, 8)};
    // Host threads may all start on one processor; they overlap once the system has moved some.
    setup.rounds =
        device.description().backend == BackendChoice::host ? 4000000 : Amounts{64, 1000000}.of(device);
    setup.words = 2 * WORDS_PER_LINE;
    setup.overlaps = overlapping_additions;
    return try_forms(device, "lost_updates",
                     "all items of all groups add 1 to one word; seen: missing additions", kernel,
                     {{ADD_PLAIN, "word += 1", Model::race},
                      {ADD_LOAD_STORE, "atomic load, then atomic store", Model::may},
                      {ADD_ATOMIC, "one atomic addition", Model::never}},
                     setup,
                     "Two items that read the same value write the same sum. Atomic loads and stores do not "
                     "help: the addition must be one read-modify-write operation.");
}

/// 512 items: on a GPU in one group where it can be, else in as many as run at once.
LaunchShape shape_of_adders(Device &device, const std::string &kernel) {
    constexpr int adders = 512;
    const DeviceDescription &description = device.description();
    if (description.backend == BackendChoice::host) {
        return {adders, 1};
    }
    const int size = std::min(device.largest_group_size({kernel, Precision::float64}),
                              description.gpu ? adders : adders / 2);
    return resident_shape(device, kernel, size, adders / size);
}

Result shared_word(Device &device) {
    const char *const kernel = "litmus_add_to_one_word";
    Setup setup{shape_of_adders(device, kernel)};
    setup.rounds = Amounts{64, 500}.of(device);
    setup.words = 2 * WORDS_PER_LINE;
    setup.overlaps = overlapping_additions;
    return try_forms(device, "shared_word", "512 items add 1 to one word; seen: missing additions", kernel,
                     {{ADD_PLAIN, "word += 1", Model::race},
                      {ADD_LOCKED, "word += 1 inside a spin lock", Model::never},
                      {ADD_ATOMIC, "one atomic addition", Model::never}},
                     setup,
                     "Both are correct. The lock makes 512 items queue; no lock is needed where one atomic "
                     "operation is enough.");
}

Result message_passing(Device &device) {
    const char *const name = "message_passing";
    const std::string question =
        "one group writes a message and sets a flag, and another group waits for the flag; seen: old words "
        "in the message";
    const char *const kernel = "litmus_message_passing";
    Setup setup{resident_shape(device, kernel, device.default_group_size(), 128)};
    if (setup.shape.groups < 2) {
        return skip(name, question, two_groups);
    }
    setup.rounds = Amounts{32, 500}.of(device);
    setup.elements = Amounts{4096, 256}.of(device);
    setup.words =
        static_cast<std::size_t>(setup.shape.groups / 2) * message_pair_words(setup.rounds, setup.elements);
    const bool host = device.description().backend == BackendChoice::host;
    std::string remark =
        device.description().gpu
            ? "How old words arise: without an acquire at device scope, plain loads may be served from the "
              "first-level cache, which still holds the old words; without a release, the flag may become "
              "visible before the words. Seeing none proves nothing."
            : "x86 keeps stores in order and caches coherent, so only the compiler could break this; on ARM "
              "and on GPUs the hardware can, too.";
    remark += host ? " Fences of host threads apply to all threads, whatever their scope."
                   : " Fences at group scope apply within a group, but the reader is in another group.";
    return try_forms(device, name, question, kernel,
                     {{MESSAGE_NO_FENCE, "no fence", Model::race},
                      {MESSAGE_GROUP, "both fences, at group scope", host ? Model::never : Model::race},
                      {MESSAGE_NO_ACQUIRE, "only the writer's fence (no acquire)", Model::race},
                      {MESSAGE_NO_RELEASE, "only the reader's fence (no release)", Model::race},
                      {MESSAGE_FENCED, "both fences, at device scope", Model::never}},
                     setup, remark);
}

Result torn_store(Device &device) {
    const char *const name = "torn_store";
    const std::string question =
        "a 64-bit word with equal halves is written again and again; seen: loads with unequal halves";
    const char *const kernel = "litmus_torn_store";
    Setup setup{resident_shape(device, kernel, 32, 128, 8)};
    if (setup.shape.groups < 2) {
        return skip(name, question, two_groups);
    }
    setup.rounds = Amounts{20000, 2000000}.of(device);
    setup.words = static_cast<std::size_t>(setup.shape.groups) * WORDS_PER_LINE;
    setup.overlaps = overlapping_loads;
    return try_forms(device, name, question, kernel,
                     {{TORN_HALVES, "two 32-bit stores", Model::may},
                      {TORN_PLAIN, "one plain 64-bit store", Model::race},
                      {TORN_ATOMIC, "one atomic 64-bit store", Model::never}},
                     setup,
                     "Between two 32-bit stores, a load sees one new half and one old half. A compiler may "
                     "split a plain store in two, even if no torn value was seen here; only the atomic store "
                     "is guaranteed to be one store.");
}

Result warp_exchange(Device &device) {
    const char *const name = "warp_exchange";
    const std::string question =
        "neighbouring lanes exchange values through shared memory in two branches; seen: values of the "
        "previous round";
    if (device.description().backend != BackendChoice::cuda) {
        return skip(name, question, "needs CUDA");
    }
    const char *const kernel = "litmus_warp_exchange";
    Setup setup{resident_shape(device, kernel, 256, 128)};
    setup.rounds = 1000;
    setup.elements = 8;
    setup.words = WORDS_PER_LINE;
    return try_forms(
        device, name, question, kernel,
        {{EXCHANGE_ASSUMED, "nothing between store and load", Model::race},
         {EXCHANGE_SYNCHRONISED, "__syncwarp() between them", Model::never}},
        setup,
        "Since compute capability 7.0, the lanes of a warp are independent threads, and one branch may "
        "finish before the other begins; it then reads the value of the previous round. Older devices ran "
        "the lanes in lockstep. Seeing no error here guarantees nothing.");
}

Result last_group_sum(Device &device, const char *name, std::uint32_t elements, const std::string &terms) {
    const char *const kernel = "litmus_last_group_sum";
    const std::string question = fmt::format(
        "every group stores {}, one of them late, and one group adds up the values of all groups (last-block "
        "sum); seen: sums with an old term",
        terms);
    Setup setup{resident_shape(device, kernel, device.default_group_size(), 128, 8)};
    if (setup.shape.groups < 2) {
        return skip(name, question, two_groups);
    }
    setup.rounds = Amounts{200, 200}.of(device);
    setup.elements = elements;
    setup.words = static_cast<std::size_t>(setup.shape.groups) * elements;
    return try_forms(device, name, question, kernel,
                     {{SUM_NO_TICKET, "fences, no ticket: a fixed group adds", Model::race},
                      {SUM_NO_FENCE, "ticket, no fence", Model::race},
                      {SUM_FENCES, "fence, relaxed ticket, fence (__threadfence)", Model::never},
                      {SUM_ACQ_REL, "acq_rel ticket", Model::never}},
                     setup,
                     "The ticket tells which group is last; the fence, or the memory order of the ticket, "
                     "guarantees that the values of the other groups are visible.");
}

Result last_group_word(Device &device) {
    return last_group_sum(device, "last_group_word", 1, "one value");
}

Result last_group_array(Device &device) {
    const std::uint32_t elements = Amounts{256, 4096}.of(device);
    return last_group_sum(device, "last_group_array", elements, fmt::format("{} values", elements));
}

Result spin_on_a_word(Device &device) {
    const char *const name = "spin_on_a_word";
    const std::string question =
        "one item spins on a word that another item sets; seen: waits that never saw the word although it "
        "was set";
    const char *const kernel = "litmus_spin_on_a_word";
    Setup setup{resident_shape(device, kernel, 32, 128)};
    if (setup.shape.groups < 2) {
        return skip(name, question, two_groups);
    }
    setup.shape.groups = std::min(setup.shape.groups, device.description().gpu ? 128 : 2);
    setup.rounds = 4;
    setup.elements = Amounts{200000, 10000000}.of(device);
    setup.words = static_cast<std::size_t>(setup.shape.groups / 2) * (setup.rounds + 1) * WORDS_PER_LINE;
    const bool cuda = device.description().backend == BackendChoice::cuda;
    return try_forms(device, name, question, kernel,
                     {{SPIN_PLAIN, "plain load", Model::race},
                      {SPIN_VOLATILE, "volatile load", cuda ? Model::never : Model::race},
                      {SPIN_ATOMIC, "atomic load", Model::never}},
                     setup,
                     fmt::format("A compiler may load a plain word once and then spin on a register forever; "
                                 "here the loops end after {} reads.",
                                 setup.elements));
}

Result naive_spin_lock(Device &device) {
    const char *const kernel = "litmus_spin_lock_forms";
    const bool gpu = device.description().gpu;
    const int size = device.default_group_size() > 1 ? 32 : 1;
    Setup setup{resident_shape(device, kernel, size, 128)};
    setup.rounds = Amounts{8, 20000}.of(device);
    setup.elements = Amounts{20000, 10000000}.of(device);
    setup.words = static_cast<std::size_t>(setup.shape.groups) * 2 * WORDS_PER_LINE;
    Result result =
        try_forms(device, "naive_spin_lock",
                  fmt::format("{}; seen: items that did not get the lock in {} tries",
                              setup.shape.group_size > 1 ? "the items of each group want one lock"
                                                         : "all groups, of one item each, want one lock",
                              setup.elements),
                  kernel,
                  {{LOCK_NAIVE, "while (!try_lock) {} section, unlock", Model::no_matter},
                   {LOCK_SAFE, "lock and unlock in one pass of a loop", Model::never}},
                  setup, {});
    const bool stuck = result.outcomes.front().seen > 0;
    result.remark =
        !gpu    ? "Items run one after the other or in separate threads here, so both variants make progress."
        : stuck ? "Without the limit this would be a deadlock: on this device the holder of the lock waits "
                  "for the lanes that spin. Lock and unlock in one pass of a loop."
                : "This device schedules the lanes of a warp independently, so both variants make progress. "
                  "Older devices, which run them in lockstep, hang in the naive variant.";
    return result;
}

}  // namespace

bool is_broken(const Outcome &outcome) {
    return outcome.model == Model::never && (outcome.seen > 0 || outcome.waits_given_up > 0);
}

const std::vector<Experiment> &experiments() {
    static const std::vector<Experiment> all{
        {"lost_updates", lost_updates},         {"shared_word", shared_word},
        {"message_passing", message_passing},   {"torn_store", torn_store},
        {"warp_exchange", warp_exchange},       {"last_group_word", last_group_word},
        {"last_group_array", last_group_array}, {"spin_on_a_word", spin_on_a_word},
        {"naive_spin_lock", naive_spin_lock},   {"too_many_groups", try_too_many_groups}};
    return all;
}

}  // namespace perdure::litmus
