/* Steps of the groups around, of sync/step_flags.h, in a ring: each group has one flag, at which both neighbours look, and data
 * apart, in two copies. Every group finds the data of its own step, everybody ends.
 *
 * MUTANT: 1 one copy of the data; 2 a flag must show just this step; 3 the flag raised before the data is written; 4 one
 * neighbour awaited only; 5 the data stored for the step behind the next one before that one is awaited. */
#define GROUPS 3
#define STEPS 4
#define LEFT(group) ((group + GROUPS - 1) % GROUPS)
#define RIGHT(group) ((group + 1) % GROUPS)

#ifndef MUTANT
#define MUTANT 0
#endif
#if MUTANT == 1
#define COPY(step) 0
#else
#define COPY(step) ((step) % 2)
#endif
#if MUTANT == 2
#define IS_RAISED(flag) ((flag) == step)
#else
#define IS_RAISED(flag) ((flag) >= step)
#endif
#define DATA(group, step) data[group * 2 + COPY(step)]
byte flag[GROUPS];
byte data[GROUPS * 2];

proctype run_group(byte group) {
    byte step = 1;
    do
    :: step <= STEPS ->
#if MUTANT == 3
        flag[group] = step;
        DATA(group, step) = step;
#else
        DATA(group, step) = step;
        flag[group] = step;
#endif
#if MUTANT == 5
        if
        :: step + 2 <= STEPS -> DATA(group, step + 2) = step + 2
        :: else -> skip
        fi;
#endif
        IS_RAISED(flag[LEFT(group)]);
#if MUTANT != 4
        IS_RAISED(flag[RIGHT(group)]);
#endif
        assert(DATA(LEFT(group), step) == step);
        assert(DATA(RIGHT(group), step) == step);
        step++
    :: else -> break
    od
}

init {
    byte group;
    atomic {
        for (group : 0 .. GROUPS - 1) {
            run run_group(group)
        }
    }
    _nr_pr == 1
}
