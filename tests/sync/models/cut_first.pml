/* Phases of kernels/cut_first.h: in each of two ranks, two groups compute cells near the cut, which the other rank looks at; the one that
 * finishes last sends them; then both compute cells between the cuts. Phases write in two copies of an array in turn, and a cell's value is the
 * phase that wrote it. Whoever computes cells near the cut must find the other rank's cells of the phase before, from the first look to the last.
 *
 * MUTANT: 1 the first group to finish sends; 2 nobody awaits the message; 3 it is awaited behind the barrier; 4 phases write in one copy;
 * 5 cells between the cuts look at those of the other rank as well; 6 the counter is not reset; 7 groups are counted before they compute;
 * 8 in phase 2 nothing is sent, so that phase 3 writes over what may still be looked at. */
#define RANKS 2
#define GROUPS 2
#define PHASES 4

#ifndef MUTANT
#define MUTANT 0
#endif
#if MUTANT == 1
#define SENDER 0
#else
#define SENDER (GROUPS - 1)
#endif
#if MUTANT == 4
#define COPY(phase) 0
#else
#define COPY(phase) ((phase) % 2)
#endif
#if MUTANT == 8
#define SENDS (phase != 2)
#define LOOKS (phase != 3)
#define MESSAGES (phase - (phase >= 2 -> 1 : 0))
#else
#define SENDS true
#define LOOKS true
#define MESSAGES phase
#endif
#define OTHER (1 - rank)
#define CELL(group, phase) cell[(rank * GROUPS + (group)) * 2 + COPY(phase)]
#define HALO(rank, group, phase) halo[((rank) * GROUPS + (group)) * 2 + COPY(phase)]

/* Phase 0 is what all begin with. */
byte cell[RANKS * GROUPS * 2];
byte halo[RANKS * GROUPS * 2];
byte messages[RANKS];
byte came[RANKS];
byte arrived[RANKS];

/* Two looks, of which the second is the last of the phase. */
inline look() {
    if
    :: LOOKS ->
        assert(HALO(rank, group, phase - 1) == phase - 1);
        assert(HALO(rank, group, phase - 1) == phase - 1)
    :: else -> skip
    fi
}

inline compute_near_cut() {
    look();
    CELL(group, phase) = phase
}

inline finish_near_cut() {
    d_step { drawn = came[rank]; came[rank]++ }
    if
    :: drawn == GROUPS - 1 ->
#if MUTANT != 6
        came[rank] = 0
#else
        skip
#endif
    :: else -> skip
    fi;
    if
    :: drawn == SENDER && SENDS ->
        for (sent : 0 .. GROUPS - 1) {
            HALO(OTHER, sent, phase) = CELL(sent, phase)
        }
        messages[OTHER]++
    :: else -> skip
    fi
}

inline await_message() {
    if
    :: group == 0 -> messages[rank] >= MESSAGES
    :: else -> skip
    fi
}

proctype run_group(byte rank; byte group) {
    byte phase = 1;
    byte drawn;
    byte sent;
    do
    :: phase <= PHASES ->
#if MUTANT == 7
        finish_near_cut();
        compute_near_cut();
#else
        compute_near_cut();
        finish_near_cut();
#endif
#if MUTANT == 5
        look();
#endif
#if MUTANT != 2 && MUTANT != 3
        await_message();
#endif
        arrived[rank]++;
        arrived[rank] >= GROUPS * phase;
#if MUTANT == 3
        await_message();
#endif
        phase++
    :: else -> break
    od
}

init {
    byte rank;
    byte group;
    atomic {
        for (rank : 0 .. RANKS - 1) {
            for (group : 0 .. GROUPS - 1) {
                run run_group(rank, group)
            }
        }
    }
    _nr_pr == 1;
    for (rank : 0 .. RANKS - 1) {
        assert(came[rank] == 0)
    }
}
