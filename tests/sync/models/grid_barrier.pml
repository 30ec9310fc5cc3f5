/* Grid barrier of sync/barrier_group_leader.h inside sync/grid_barrier.h: the leader of each group of items arrives and waits
 * for the top bit to flip; what it saw then is what its next wait starts from. Nobody leaves early, everybody leaves, and the
 * counter starts any launch with its lower bits zero.
 *
 * MUTANT: 1 group 0 adds one too few, 2 one too many; 3 any arrival ends a wait; 4 a set top bit ends it; 5 without
 * the group barrier before the arrival; 6 without the one after the wait; 7 what was seen is forgotten; 8 the counter is
 * first read after the arrival. */
#define GROUPS 3
#define ITEMS 2
#define ROUNDS 2
#define TOP 8 /* stands for 2^31: the counter is taken modulo 2 TOP */

#ifndef MUTANT
#define MUTANT 0
#endif
#if MUTANT == 1
#define ARRIVAL_OF_0 (TOP - GROUPS)
#elif MUTANT == 2
#define ARRIVAL_OF_0 (TOP - (GROUPS - 2))
#else
#define ARRIVAL_OF_0 (TOP - (GROUPS - 1))
#endif
#if MUTANT == 3
#define ENDS_WAIT(before) (arrived != before)
#elif MUTANT == 4
#define ENDS_WAIT(before) (arrived >= TOP)
#else
#define ENDS_WAIT(before) (arrived / TOP != before / TOP)
#endif

byte arrived;
byte written[ROUNDS]; /* items that have written their data of a round */
byte left[ROUNDS];    /* items that have left the barrier of a round */
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
    bool known;
    bool mine;
    do
    :: round < ROUNDS ->
        written[round]++;
#if MUTANT != 5
        group_barrier();
#endif
        if
        :: item == 0 ->
#if MUTANT != 8
            if
            :: !known -> before = arrived; known = true
            :: else
            fi;
#endif
            d_step { arrived = (arrived + (group == 0 -> ARRIVAL_OF_0 : 1)) % (2 * TOP) }
#if MUTANT == 8
            if
            :: !known -> before = arrived; known = true
            :: else
            fi;
#endif
            ENDS_WAIT(before);
#if MUTANT != 7
            before = arrived
#endif
        :: else
        fi;
#if MUTANT != 6
        group_barrier();
#endif
        d_step {
            assert(written[round] == GROUPS * ITEMS);
            left[round]++
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
        for (group : 0 .. GROUPS - 1) {
            for (item : 0 .. ITEMS - 1) {
                run run_item(group, item)
            }
        }
    }
    _nr_pr == 1;
    assert(arrived % TOP == 0);
    for (group : 0 .. ROUNDS - 1) {
        assert(left[group] == GROUPS * ITEMS)
    }
}
