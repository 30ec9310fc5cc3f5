/* Ticket of sync/last_group.h with a grid barrier after it: in each phase exactly one group is the last, it finds every
 * group's part of that phase and nothing twice, and it can reset the ticket because the barrier comes before the next draw.
 *
 * MUTANT: 1 the ticket is not reset; 2 no barrier after it; 3 the draw is a load and a store; 4 the last but one takes
 * itself for the last; 5 a group writes its part after its draw; 6 every group resets the ticket. */
#define GROUPS 3
#define PHASES 3

#ifndef MUTANT
#define MUTANT 0
#endif
#if MUTANT == 4
#define LAST (GROUPS - 2)
#else
#define LAST (GROUPS - 1)
#endif

byte ticket;
byte part[GROUPS];
byte sum;             /* over all groups and phases */
byte winners[PHASES]; /* last groups of a phase */
byte at_barrier[PHASES];

proctype run_group(byte group) {
    byte phase;
    byte drawn;
    byte other;
    do
    :: phase < PHASES ->
#if MUTANT != 5
        part[group] = phase + 1;
#endif
#if MUTANT == 3
        drawn = ticket;
        ticket = drawn + 1;
#else
        d_step { drawn = ticket; ticket++ }
#endif
#if MUTANT == 5
        part[group] = phase + 1;
#endif
        if
        :: drawn == LAST ->
            winners[phase]++;
#if MUTANT != 1
            ticket = 0;
#endif
            for (other : 0 .. GROUPS - 1) {
                assert(part[other] == phase + 1);
                sum = sum + part[other]
            }
        :: else ->
#if MUTANT == 6
            ticket = 0
#else
            skip
#endif
        fi;
#if MUTANT != 2
        at_barrier[phase]++;
        at_barrier[phase] == GROUPS;
        assert(winners[phase] == 1);
#endif
        phase++
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
    assert(ticket == 0);
    assert(sum == GROUPS * PHASES * (PHASES + 1) / 2);
    for (index : 0 .. PHASES - 1) {
        assert(winners[index] == 1)
    }
}
