/* Barrier with a sum of sync/barrier_reduce.h: in each group the leader stores its word and waits at the
 * counter, while a reader reads the words of all groups, each in two halves, as they come. Every group
 * leaves with the values of its own round, nobody leaves early, everybody leaves.
 *
 * MUTANT: 1 one row of words for all epochs; 2 words taken whatever their epoch; 3 the epoch of the second
 * half alone looked at; 4 words stored with the epoch before; 5 without the group barrier after the wait; 6
 * without the one before it. */
#define GROUPS 2
#define ROUNDS 4
#define TOP 8 /* stands for 2^31: the counter is taken modulo 2 TOP */

#ifndef MUTANT
#define MUTANT 0
#endif
#if MUTANT == 1
#define ROW(epoch) 0
#else
#define ROW(epoch) ((epoch) % 2)
#endif
#if MUTANT == 2
#define IS_OF_EPOCH true
#elif MUTANT == 3
#define IS_OF_EPOCH (second == epoch)
#else
#define IS_OF_EPOCH (first == epoch && second == epoch)
#endif
#if MUTANT == 4
#define STORED_EPOCH (epoch - 1)
#else
#define STORED_EPOCH epoch
#endif
#define WORD(row, group) (row) * GROUPS + (group)

/* The value of a group is its epoch: a half that holds another epoch holds a wrong value. */
byte first_half[2 * GROUPS];
byte second_half[2 * GROUPS];
byte arrived;
byte came[ROUNDS + 1]; /* items that have come to a round */
byte total[GROUPS];    /* right values that the reader has found */
byte at_barrier[GROUPS];
bool parity[GROUPS];

/* The barrier within a group of two. */
inline group_barrier() {
    atomic {
        mine = parity[group];
        at_barrier[group]++;
        if
        :: at_barrier[group] == 2 -> at_barrier[group] = 0; parity[group] = !mine
        :: else
        fi
    }
    parity[group] != mine
}

inline leave() {
    d_step {
        assert(came[epoch] == 2 * GROUPS);
        assert(total[group] == GROUPS)
    }
}

proctype run_leader(byte group) {
    byte epoch = 1;
    byte before;
    bool mine;
    do
    :: epoch <= ROUNDS ->
        came[epoch]++;
        first_half[WORD(ROW(epoch), group)] = STORED_EPOCH;
        second_half[WORD(ROW(epoch), group)] = STORED_EPOCH;
#if MUTANT != 6
        group_barrier();
#endif
        d_step {
            before = arrived;
            arrived = (arrived + (group == 0 -> TOP - (GROUPS - 1) : 1)) % (2 * TOP)
        }
        arrived / TOP != before / TOP;
#if MUTANT != 5
        group_barrier();
#endif
        leave();
        epoch++
    :: else -> break
    od
}

proctype run_reader(byte group) {
    byte epoch = 1;
    byte other;
    byte first;
    byte second;
    byte right;
    bool mine;
    do
    :: epoch <= ROUNDS ->
        came[epoch]++;
#if MUTANT != 6
        group_barrier();
#endif
        other = 0;
        right = 0;
        do
        :: other < GROUPS ->
            first = first_half[WORD(ROW(epoch), other)];
            second = second_half[WORD(ROW(epoch), other)];
            if
            :: IS_OF_EPOCH ->
                d_step {
                    right = right + (first == epoch && second == epoch);
                    other++
                }
            :: else -> /* read again, once there is something new */
                first != first_half[WORD(ROW(epoch), other)] ||
                second != second_half[WORD(ROW(epoch), other)]
            fi
        :: else -> break
        od;
        total[group] = right;
#if MUTANT != 5
        group_barrier();
#endif
        leave();
        epoch++
    :: else -> break
    od
}

init {
    byte group;
    atomic {
        if
        :: arrived = 0
        :: arrived = TOP
        fi;
        for (group : 0 .. GROUPS - 1) {
            run run_leader(group);
            run run_reader(group)
        }
    }
    _nr_pr == 1
}
