/* Halo exchange of sync/halo_exchange.h in a ring of groups, first by words (value and epoch in one), then
 * by flags (data apart, in two copies). Every group finds the values of its own step, everybody ends.
 *
 * MUTANT: 1 one word for all epochs; 2 words taken whatever their epoch; 3 one copy of the data behind a
 * flag; 4 a flag must show just this epoch; 5 the flag raised before the data is written; 6 a step sent
 * before the last one has come. */
#define GROUPS 3
#define STEPS 4
#define LEFT(group) ((group + GROUPS - 1) % GROUPS)
#define RIGHT(group) ((group + 1) % GROUPS)

#ifndef MUTANT
#define MUTANT 0
#endif
#if MUTANT == 1
#define WORD_COPY(epoch) 0
#else
#define WORD_COPY(epoch) ((epoch) % 2)
#endif
#if MUTANT == 2
#define IS_THERE(word) ((word) != 255)
#else
#define IS_THERE(word) ((word) == epoch)
#endif
#if MUTANT == 3
#define DATA_COPY(epoch) 0
#else
#define DATA_COPY(epoch) ((epoch) % 2)
#endif
#if MUTANT == 4
#define IS_RAISED(flag) ((flag) == epoch)
#else
#define IS_RAISED(flag) ((flag) >= epoch)
#endif

/* The value of a step is its epoch. Of a group's two edges, 0 leads to the left and 1 to the right. */
#define WORD(group, edge, epoch) word[(group * 2 + edge) * 2 + WORD_COPY(epoch)]
#define FLAG(group, edge) flag[group * 2 + edge]
#define DATA(group, epoch) data[group * 2 + DATA_COPY(epoch)]
byte word[GROUPS * 4];
byte flag[GROUPS * 2];
byte data[GROUPS * 2];

proctype run_words(byte group) {
    byte epoch = 1;
    do
    :: epoch <= STEPS ->
        WORD(LEFT(group), 1, epoch) = epoch;
        WORD(RIGHT(group), 0, epoch) = epoch;
#if MUTANT == 6
        if
        :: epoch == STEPS -> skip
        :: else -> epoch++; WORD(LEFT(group), 1, epoch) = epoch; epoch--
        fi;
#endif
        atomic { IS_THERE(WORD(group, 0, epoch)) -> assert(WORD(group, 0, epoch) == epoch) }
        atomic { IS_THERE(WORD(group, 1, epoch)) -> assert(WORD(group, 1, epoch) == epoch) }
        epoch++
    :: else -> break
    od
}

proctype run_flags(byte group) {
    byte epoch = 1;
    do
    :: epoch <= STEPS ->
#if MUTANT == 5
        FLAG(LEFT(group), 1) = epoch;
        DATA(group, epoch) = epoch;
#else
        DATA(group, epoch) = epoch;
        FLAG(LEFT(group), 1) = epoch;
#endif
        FLAG(RIGHT(group), 0) = epoch;
        IS_RAISED(FLAG(group, 0));
        IS_RAISED(FLAG(group, 1));
        assert(DATA(LEFT(group), epoch) == epoch);
        assert(DATA(RIGHT(group), epoch) == epoch);
        epoch++
    :: else -> break
    od
}

init {
    byte group;
    atomic {
        for (group : 0 .. GROUPS - 1) {
            run run_words(group)
        }
    }
    _nr_pr == 1;
    atomic {
        for (group : 0 .. GROUPS - 1) {
            run run_flags(group)
        }
    }
    _nr_pr == 1
}
