/* Spin lock of sync/spin_lock.h with its loop: warps whose lanes run in lockstep take the lock and change two words by
 * plain steps. Where the lanes of a warp take different branches, the side that waits runs first, and no lane goes on
 * behind the loop before all have left it. Never two in the section, no change lost, everybody gets through.
 *
 * Polling is a blocking step: no poll changes anything, and as each lane takes the lock finitely often, it is free for
 * good once all others are through, so that weak fairness is enough. A warp that polls for ever is a deadlock here.
 *
 * MUTANT: 1 lock and unlock not in one loop: lanes that hold the lock meet those that wait before the section; 2 no
 * unlock; 3 the try is a load and a store; 4 it does not look whether the lock is held; 5 unlock before the last
 * change; 6 unlock by a lane that did not get the lock. */
#define WARPS 2
#define LANES 2
#define ROUNDS 2
#define TURNS 8 /* stands for 2^32: the word is taken modulo TURNS */

#ifndef MUTANT
#define MUTANT 0
#endif
#if MUTANT == 4
#define FREE(seen) true
#else
#define FREE(seen) (seen % 2 == 0)
#endif

byte word;
byte first, second; /* what the lock guards */
byte inside;        /* lanes in the section */

inline try_lock() {
    seen = word;
    got[lane] = false;
    if
    :: FREE(seen) ->
#if MUTANT == 3
        word = (seen + 1) % TURNS;
        got[lane] = true
#else
        d_step {
            if
            :: word == seen -> word = (seen + 1) % TURNS; got[lane] = true
            :: else
            fi
        }
#endif
    :: else
    fi
}

inline unlock() {
#if MUTANT != 2
    word = (word + 1) % TURNS
#else
    skip
#endif
}

inline section() {
    inside++;
    assert(inside == 1);
    copy = first;
    first = copy + 1;
#if MUTANT == 5
    inside--;
    unlock();
#endif
    copy = second;
    second = copy + 1;
#if MUTANT != 5
    inside--;
    unlock();
#endif
    copy = 0
}

proctype run_warp() {
    byte round, lane, seen, copy;
    bool got[LANES];
    bool done[LANES];
    do
    :: round < ROUNDS ->
        for (lane : 0 .. LANES - 1) {
            done[lane] = false
        }
        do
        :: done[0] && done[1] -> break
        :: else ->
            /* Every lane that is left tries; then those that failed have their turn, which is to poll. */
            for (lane : 0 .. LANES - 1) {
                if
                :: !done[lane] -> try_lock()
                :: else -> got[lane] = false
                fi
            }
            if
            :: got[0] || got[1] || (done[0] && done[1])
            :: else -> FREE(word)
            fi;
#if MUTANT == 1
            for (lane : 0 .. LANES - 1) {
                done[lane] = done[lane] || got[lane]
            }
        od;
        for (lane : 0 .. LANES - 1) {
            section()
        }
#else
            for (lane : 0 .. LANES - 1) {
                if
                :: got[lane] -> section(); done[lane] = true
                :: else ->
#if MUTANT == 6
                    unlock()
#else
                    skip
#endif
                fi
            }
        od;
#endif
        round++
    :: else -> break
    od
}

init {
    byte warp;
    atomic {
        if
        :: word = 0
        :: word = TURNS - 2
        fi;
        for (warp : 0 .. WARPS - 1) {
            run run_warp()
        }
    }
    _nr_pr == 1;
    assert(word % 2 == 0);
    assert(first == WARPS * LANES * ROUNDS);
    assert(second == WARPS * LANES * ROUNDS)
}
