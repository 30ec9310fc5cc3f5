/* sync/last_groups.h on a device that runs SLOTS groups at a time: the last MOST of each launch have places of their own, find every group's
 * part of that launch, and both words are zero for the next one.
 *
 * MUTANT: 1 more groups wait than run at a time; 2 the draw is a load and a store; 3 a wait ends one group too early; 4 `came` is not reset;
 * 5 `left` is not reset; 6 the first that leaves resets both words; 7 a group writes its part after its draw. */
#define GROUPS 4
#define SLOTS 2
#define LAUNCHES 2

#ifndef MUTANT
#define MUTANT 0
#endif
#if MUTANT == 1
#define MOST (SLOTS + 1)
#else
#define MOST SLOTS
#endif
#if MUTANT == 3
#define ALL (GROUPS - 1)
#else
#define ALL GROUPS
#endif
#if MUTANT == 6
#define LAST_TO_LEAVE 0
#else
#define LAST_TO_LEAVE (MOST - 1)
#endif

byte came;
byte left;
byte free = SLOTS;
byte part[GROUPS];
byte places[LAUNCHES]; /* a bit for each */
byte ended[LAUNCHES];

proctype run_group(byte group) {
    byte launch;
    byte drawn;
    byte other;
    do
    :: launch < LAUNCHES ->
        d_step { free > 0; free-- }
#if MUTANT != 7
        part[group] = launch + 1;
#endif
#if MUTANT == 2
        drawn = came;
        came = drawn + 1;
#else
        d_step { drawn = came; came++ }
#endif
#if MUTANT == 7
        part[group] = launch + 1;
#endif
        if
        :: drawn < GROUPS - MOST -> skip
        :: else ->
            came >= ALL;
            for (other : 0 .. GROUPS - 1) {
                assert(part[other] == launch + 1)
            }
            assert(drawn < GROUPS);
            places[launch] = places[launch] | (1 << (drawn - (GROUPS - MOST)));
            d_step { drawn = left; left++ }
            if
            :: drawn == LAST_TO_LEAVE ->
#if MUTANT != 4
                came = 0;
#endif
#if MUTANT != 5
                left = 0
#else
                skip
#endif
            :: else -> skip
            fi
        fi;
        free++;
        ended[launch]++;
        ended[launch] == GROUPS;
        launch++
    :: else -> break
    od
}

init {
    byte index;
    atomic {
        for (index : 0 .. GROUPS - 1) {
            run run_group(index)
        }
    }
    _nr_pr == 1;
    assert(came == 0 && left == 0);
    for (index : 0 .. LAUNCHES - 1) {
        assert(places[index] == (1 << MOST) - 1)
    }
}
