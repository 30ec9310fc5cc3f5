// The spin lock: plain words that change together, plain words that only a successful try protects, and a
// holder that never unlocks.
#include <unistd.h>

#include "sync/spin_lock.h"
#include "tests/sync/grid_sync_memory.hpp"
#include "tests/sync/mutants/mutant_program.hpp"

namespace perdure::tests {
namespace {

constexpr uint32 groups = 4;
constexpr uint32 turns = 1000;
constexpr std::size_t words = 20;

struct Shared {
    GridSyncMemory sync{groups};
    uint64 wait_limit = 0;
    uint32 lined_up = 0;
    uint32 device_word = 0;
    uint32 group_word = 0;
    std::vector<uint64> values = std::vector<uint64>(words);
    uint64 tries = 0;
};

void change_together(Shared &shared) {
    wait_t wait = {0, 0, 0, 0};
    uint32 spin = SPIN_WAITING;
    while (spin == SPIN_WAITING) {
        if (try_spin_lock(&shared.device_word, SCOPE_DEVICE)) {
            const uint64 before = shared.values.front();
            for (uint64 &value : shared.values) {
                expect(value == before, "wrong value: two in the section\n");
                ++value;
            }
            spin_unlock(&shared.device_word, SCOPE_DEVICE);
            spin = SPIN_DONE;
        } else {
            spin = keep_spinning(&wait, shared.sync.get(), &shared.device_word, 1, shared.wait_limit);
        }
    }
    expect(spin == SPIN_DONE, "abandoned: the lock could not be had\n");
}

/// On host threads the scope makes no difference: the lock of a group is tried by all.
void only_try(Shared &shared) {
    if (try_spin_lock(&shared.group_word, SCOPE_GROUP)) {
        ++shared.tries;
        spin_unlock(&shared.group_word, SCOPE_GROUP);
    }
}

void give_up_on_a_lost_lock(Shared &shared) {
    wait_t wait = {0, 0, 0, 0};
    uint32 spin = SPIN_WAITING;
    while (spin == SPIN_WAITING) {
        expect(!try_spin_lock(&shared.device_word, SCOPE_DEVICE), "wrong lock: held by two\n");
        spin = keep_spinning(&wait, shared.sync.get(), &shared.device_word, 2, 2'000'000);
    }
    expect(spin == SPIN_ABANDONED, "wrong verdict of an abandoned wait\n");
}

void run(Shared &shared) {
    run_groups(groups, [&shared] {
        for (uint32 turn = 0; turn < turns; ++turn) {
            line_up(&shared.lined_up);
            change_together(shared);
            only_try(shared);
        }
    });
    expect(shared.values.back() == uint64{turns} * groups, "wrong value: a change was lost\n");
    expect(shared.device_word == 2 * turns * groups, "wrong word after all are through\n");
    expect(shared.tries >= 1 && shared.tries <= uint64{turns} * groups, "wrong number of successful tries\n");
    expect(try_spin_lock(&shared.device_word, SCOPE_DEVICE) == 1, "wrong lock: not free\n");
    run_groups(groups, [&shared] { give_up_on_a_lost_lock(shared); });
}

}  // namespace

void try_all(uint64 wait_limit) {
    Shared shared;
    shared.wait_limit = wait_limit;
    run(shared);
}

}  // namespace perdure::tests
