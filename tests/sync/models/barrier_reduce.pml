/* Barrier with a sum of sync/barrier_reduce.h: each group stores its value in the row of the call, passes a barrier and
 * reads the values of all. Two rows by turns. Every group leaves with the values of its own call.
 *
 * MUTANT: 1 one row for all calls; 2 values stored behind the barrier; 3 without the barrier. */
#define GROUPS 3
#define CALLS 4

#ifndef MUTANT
#define MUTANT 0
#endif
#if MUTANT == 1
#define ROW(call) 0
#else
#define ROW(call) ((call) % 2)
#endif
#define VALUE(row, group) values[(row) * GROUPS + (group)]

/* The value of a group is the call it belongs to. */
byte values[2 * GROUPS];
byte arrived[CALLS + 1];

proctype run_group(byte group) {
    byte call = 1;
    byte other;
    do
    :: call <= CALLS ->
#if MUTANT != 2
        VALUE(ROW(call), group) = call;
#endif
#if MUTANT != 3
        arrived[call]++;
        arrived[call] == GROUPS;
#endif
#if MUTANT == 2
        VALUE(ROW(call), group) = call;
#endif
        other = 0;
        do
        :: other < GROUPS ->
            assert(VALUE(ROW(call), other) == call);
            other++
        :: else -> break
        od;
        call++
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
