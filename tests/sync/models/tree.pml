/* Tree barrier of sync/barrier_tree.h with two children a node: five groups are three levels. Only the items that climb are
 * modelled, one per group; the group barriers around them are those of grid_barrier.pml. Nobody leaves early, everybody
 * leaves, no node needs a reset, counters and epochs wrap around.
 *
 * MUTANT: 1 the first child of a node adds one too few, 2 one too many; 3 every node counts as the root; 4 every node counts
 * as full; 5 all levels share their nodes; 6 the epoch is read after the climb; 7 epochs are compared by size; 8 the add is
 * a load and a store; 9 everyone goes up. */
#define GROUPS 5
#define NODES 6 /* 3 + 2 + 1 */
#define FAN 2
#define ROUNDS 3
#define TOP 4    /* stands for 2^31: nodes count modulo 2 TOP */
#define EPOCHS 4 /* stands for 2^32 */

#ifndef MUTANT
#define MUTANT 0
#endif
#if MUTANT == 1
#define FIRST_ARRIVAL (TOP - members)
#elif MUTANT == 2
#define FIRST_ARRIVAL (TOP - (members - 2))
#else
#define FIRST_ARRIVAL (TOP - (members - 1))
#endif
#if MUTANT == 3
#define IS_ROOT true
#else
#define IS_ROOT (nodes == 1)
#endif
#if MUTANT == 4
#define MEMBERS FAN
#else
#define MEMBERS (index / FAN + 1 < nodes -> FAN : width - index / FAN * FAN)
#endif
#if MUTANT == 5
#define NEXT_LEVEL level
#else
#define NEXT_LEVEL (level + nodes)
#endif
#if MUTANT == 7
#define ENDED (released > epoch)
#else
#define ENDED (released != epoch)
#endif
#if MUTANT == 9
#define IS_LAST true
#else
#define IS_LAST (before / TOP != after / TOP)
#endif

byte count[NODES];
byte released;
byte written[ROUNDS]; /* groups that have written their data of a round */
byte left[ROUNDS];    /* groups that have left the barrier of a round */

proctype run_group(byte group) {
    byte round;
    byte epoch;
    byte level;
    byte index;
    byte width;
    byte nodes;
    byte members;
    byte before;
    byte after;
    bool last;
    do
    :: round < ROUNDS ->
        written[round]++;
#if MUTANT != 6
        epoch = released;
#endif
        d_step {
            level = 0;
            index = group;
            width = GROUPS;
            last = false
        }
        do
        :: d_step {
                nodes = (width + FAN - 1) / FAN;
                members = MEMBERS
            }
#if MUTANT == 8
            before = count[level + index / FAN];
            after = (before + (index % FAN == 0 -> FIRST_ARRIVAL : 1)) % (2 * TOP);
            count[level + index / FAN] = after;
#else
            d_step {
                before = count[level + index / FAN];
                after = (before + (index % FAN == 0 -> FIRST_ARRIVAL : 1)) % (2 * TOP);
                count[level + index / FAN] = after
            }
#endif
            if
            :: !(IS_LAST) -> break
            :: else
            fi;
            if
            :: IS_ROOT -> last = true; break
            :: else
            fi;
            d_step {
                level = NEXT_LEVEL;
                index = index / FAN;
                width = nodes
            }
        od;
#if MUTANT == 6
        epoch = released;
#endif
        if
        :: last -> released = (epoch + 1) % EPOCHS
        :: else -> ENDED
        fi;
        d_step {
            assert(written[round] == GROUPS);
            left[round]++;
            level = 0;
            index = 0;
            width = 0;
            nodes = 0;
            members = 0;
            before = 0;
            after = 0;
            epoch = 0;
            last = false
        }
        round++
    :: else -> break
    od
}

init {
    byte index;
    atomic {
        if
        :: released = 0
        :: released = EPOCHS - 1
        fi;
        for (index : 0 .. NODES - 1) {
            count[index] = (index % 2) * TOP
        }
        for (index : 0 .. GROUPS - 1) {
            run run_group(index)
        }
    }
    _nr_pr == 1;
    for (index : 0 .. NODES - 1) {
        assert(count[index] % TOP == 0)
    }
    for (index : 0 .. ROUNDS - 1) {
        assert(left[index] == GROUPS)
    }
}
