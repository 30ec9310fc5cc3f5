/* Lock-free grid barrier of sync/barrier_lock_free.h inside sync/grid_barrier.h: the items of group 0 share the flags of the
 * others out; of the others, the item that waits is modelled, and grid_barrier.pml has its group barriers. Nobody leaves
 * early, everybody leaves, epochs wrap around; and when waits may be abandoned, a group still passes only if all have come,
 * and its items agree.
 *
 * MUTANT: 1 group 0 does not wait for the last group; 2 its items release without meeting first; 3 each releases its share
 * when it has seen its own flags, whatever the others saw; 4 any epoch but the last ends a wait at once; 5 epochs are compared
 * by size; 6 group 0 does not count its own barriers; 7 no group barrier after the verdict is set. */
#define GROUPS 4
#define ITEMS(group) (group == 0 -> 2 : 1)
#define ALL_ITEMS 5
#define ROUNDS 2
#define EPOCHS 4 /* stands for 2^32 */

#ifndef MUTANT
#define MUTANT 0
#endif
#if MUTANT == 4
#define REACHED(flag) (flag != 0)
#elif MUTANT == 5
#define REACHED(flag) (flag >= epoch)
#else
#define REACHED(flag) (flag == epoch)
#endif
#if MUTANT == 1
#define AWAITED (GROUPS - 1)
#else
#define AWAITED GROUPS
#endif
#if MUTANT == 2 || MUTANT == 3
#define MAY_RELEASE passed
#else
#define MAY_RELEASE verdict[group]
#endif

byte arrived[GROUPS];
byte released[GROUPS];
bool verdict[GROUPS];
bool abandoned;
bool limited;         /* a wait may run out at any time */
byte written[ROUNDS]; /* items that have written their data of a round */
byte left[ROUNDS];    /* items that have passed the barrier of a round */
byte at_barrier[GROUPS];
bool parity[GROUPS];

/* The barrier within a group, given by the device. */
inline group_barrier() {
    if
    :: ITEMS(group) > 1 ->
        atomic {
            mine = parity[group];
            at_barrier[group]++;
            if
            :: at_barrier[group] == ITEMS(group) -> at_barrier[group] = 0; parity[group] = !mine
            :: else
            fi
        }
        parity[group] != mine
    :: else
    fi
}

inline wait_for(flag) {
    if
    :: REACHED(flag)
    :: abandoned -> passed = false
    :: limited && !REACHED(flag) -> d_step { abandoned = true; passed = false }
    fi
}

proctype run_item(byte group; byte item) {
    byte round;
    byte epoch;
    byte other;
    bool mine;
    bool passed;
    do
    :: round < ROUNDS ->
        written[round]++;
        group_barrier();
        atomic {
            epoch = (released[group] + 1) % EPOCHS;
            passed = true;
            if
            :: item == 0 -> verdict[group] = true
            :: else
            fi
        }
#if MUTANT != 7
        group_barrier();
#endif
        if
        :: group == 0 ->
            other = 1 + item;
            do
            :: atomic { other < AWAITED && passed -> wait_for(arrived[other]); other = other + ITEMS(0) }
            :: atomic { !(other < AWAITED && passed) -> break }
            od;
            atomic {
                if
                :: !passed -> verdict[group] = false
                :: else
                fi
            }
#if MUTANT != 2
            group_barrier();
#endif
            if
            :: MAY_RELEASE ->
                other = item;
                do
                :: atomic { other < GROUPS ->
#if MUTANT == 6
                    if
                    :: other != 0 -> released[other] = epoch
                    :: else
                    fi;
#else
                    released[other] = epoch;
#endif
                    other = other + ITEMS(0) }
                :: atomic { other >= GROUPS -> break }
                od
            :: else
            fi
        :: else ->
            arrived[group] = epoch;
            wait_for(released[group]);
            verdict[group] = passed
        fi;
        group_barrier();
        atomic {
            if
            :: !verdict[group] -> break
            :: else
            fi;
            assert(written[round] == ALL_ITEMS);
            left[round]++;
            other = 0;
            epoch = 0;
            mine = false;
            round++
        }
    :: else -> break
    od
}

init {
    byte group;
    atomic {
        if
        :: limited = false
        :: limited = true
        fi;
        for (group : 0 .. GROUPS - 1) {
            arrived[group] = EPOCHS - 1;
            released[group] = EPOCHS - 1;
            run run_item(group, 0);
            if
            :: ITEMS(group) > 1 -> run run_item(group, 1)
            :: else
            fi
        }
    }
    _nr_pr == 1;
    for (group : 0 .. ROUNDS - 1) {
        assert(limited || left[group] == ALL_ITEMS)
    }
    assert(limited || !abandoned)
}
