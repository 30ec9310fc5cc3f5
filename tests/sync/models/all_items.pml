/* Grid barrier of all items, sync/barrier_all_items.h inside sync/grid_barrier.h: every item arrives and waits for the top bit
 * to flip. Nobody leaves early, everybody leaves; and when waits may be abandoned, an item still passes only if all have
 * come, and the items of a group agree.
 *
 * MUTANT: 1 the first item adds one too few, 2 one too many; 3 any arrival ends a wait; 4 a set top bit ends it; 5 the first
 * item of each group counts as the first of all; 6 the add is a load and a store; 7 no group barrier at the end. */
#define GROUPS 2
#define ITEMS 2
#define ALL_ITEMS 4
#define ROUNDS 3
#define TOP 8 /* stands for 2^31: the counter is taken modulo 2 TOP */

#ifndef MUTANT
#define MUTANT 0
#endif
#if MUTANT == 1
#define FIRST_ARRIVAL (TOP - ALL_ITEMS)
#elif MUTANT == 2
#define FIRST_ARRIVAL (TOP - (ALL_ITEMS - 2))
#else
#define FIRST_ARRIVAL (TOP - (ALL_ITEMS - 1))
#endif
#if MUTANT == 3
#define ENDS_WAIT(before) (arrived != before)
#elif MUTANT == 4
#define ENDS_WAIT(before) (arrived >= TOP)
#else
#define ENDS_WAIT(before) (arrived / TOP != before / TOP)
#endif
#if MUTANT == 5
#define INDEX item
#else
#define INDEX (group * ITEMS + item)
#endif

byte arrived;
bool verdict[GROUPS];
bool abandoned;
bool limited;         /* a wait may run out at any time */
byte written[ROUNDS]; /* items that have written their data of a round */
byte left[ROUNDS];    /* items that have passed the barrier of a round */
byte at_barrier[GROUPS];
bool parity[GROUPS];

/* The barrier within a group, given by the device. */
inline group_barrier() {
    atomic {
        mine = parity[group];
        at_barrier[group]++;
        if
        :: at_barrier[group] == ITEMS -> at_barrier[group] = 0; parity[group] = !mine
        :: else
        fi
    }
    parity[group] != mine
}

proctype run_item(byte group; byte item) {
    byte round;
    byte before;
    bool mine;
    bool passed;
    do
    :: round < ROUNDS ->
        written[round]++;
        group_barrier();
        if
        :: item == 0 -> verdict[group] = true
        :: else
        fi;
        group_barrier();
#if MUTANT == 6
        before = arrived;
        arrived = (before + (INDEX == 0 -> FIRST_ARRIVAL : 1)) % (2 * TOP);
#else
        d_step {
            before = arrived;
            arrived = (arrived + (INDEX == 0 -> FIRST_ARRIVAL : 1)) % (2 * TOP)
        }
#endif
        if
        :: ENDS_WAIT(before)
        :: abandoned -> verdict[group] = false
        :: limited && !ENDS_WAIT(before) -> abandoned = true; verdict[group] = false
        fi;
#if MUTANT != 7
        group_barrier();
#endif
        if
        :: !verdict[group] -> break
        :: else
        fi;
        d_step {
            assert(written[round] == ALL_ITEMS);
            left[round]++;
            before = 0
        }
        round++
    :: else -> break
    od
}

init {
    byte group;
    byte item;
    atomic {
        if
        :: arrived = 0
        :: arrived = TOP
        fi;
        if
        :: limited = false
        :: limited = true
        fi;
        for (group : 0 .. GROUPS - 1) {
            for (item : 0 .. ITEMS - 1) {
                run run_item(group, item)
            }
        }
    }
    _nr_pr == 1;
    assert(limited || arrived % TOP == 0);
    for (group : 0 .. ROUNDS - 1) {
        assert(limited || left[group] == ALL_ITEMS)
    }
}
