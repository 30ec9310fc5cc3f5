/* Occupancy discovery of sync/occupancy_discovery.h: more groups than places, started in any order as places become
 * free. Each joins the poll or leaves; a member closes it after a delay that may be any, and takes part in two barriers
 * among the members. Ranks are 0 .. members - 1, each once; all members are told the same number, at most that of the
 * places; nobody else takes part, the barriers see all and end, everybody leaves.
 *
 * MUTANT: 1 joining is a load and a store; 2 a group that comes late is counted (add instead of compare-exchange);
 * 3 a group that comes late takes part; 4 members take the count they see before they close; 5 the barrier is one of
 * all groups that were launched; 6 a member that finds the poll closed leaves. */
#define GROUPS 4
#define PLACES 2
#define BARRIERS 2
#define CLOSED 8 /* stands for 2^31 */
#define NOT_A_MEMBER 255

#ifndef MUTANT
#define MUTANT 0
#endif
#if MUTANT == 5
#define EXPECTED GROUPS
#else
#define EXPECTED members
#endif

byte poll;
byte running;          /* groups that have a place */
byte numbered[GROUPS]; /* groups with this rank */
byte told[GROUPS];     /* to each group: how many members there are */
byte arrived[BARRIERS];
byte left;

inline join_poll() {
    seen = poll;
    do
    :: seen >= CLOSED ->
#if MUTANT == 2
        poll++;
#endif
#if MUTANT == 3
        rank = seen - CLOSED;
#else
        rank = NOT_A_MEMBER;
#endif
        break
    :: else ->
#if MUTANT == 1
        poll = seen + 1;
        rank = seen;
        break
#else
        atomic {
            if
            :: poll == seen -> poll++; rank = seen; break
            :: else -> seen = poll
            fi
        }
#endif
    od
}

inline close_poll() {
    seen = poll;
#if MUTANT == 4
    members = seen % CLOSED;
    if
    :: poll < CLOSED -> poll = poll + CLOSED
    :: else
    fi
#else
    d_step {
        members = poll % CLOSED;
        if
        :: poll < CLOSED -> poll = poll + CLOSED
        :: else
        fi
    }
#endif
}

proctype run_group(byte group) {
    byte seen, rank, members, barrier;
    atomic { running < PLACES -> running++ }
    join_poll();
    if
    :: rank == NOT_A_MEMBER
#if MUTANT == 6
    :: rank != NOT_A_MEMBER && poll >= CLOSED
#endif
    :: else ->
        close_poll();
        d_step {
            numbered[rank]++;
            assert(numbered[rank] == 1);
            assert(rank < members);
            assert(members <= PLACES);
            told[group] = members
        }
        for (barrier : 0 .. BARRIERS - 1) {
            arrived[barrier]++;
            arrived[barrier] == EXPECTED
        }
    fi;
    atomic { running--; left++ }
}

init {
    byte group;
    byte members;
    byte found;
    atomic {
        for (group : 0 .. GROUPS - 1) {
            run run_group(group)
        }
    }
    _nr_pr == 1;
    atomic {
        members = poll - CLOSED;
        assert(left == GROUPS);
        assert(running == 0);
        assert(members >= 1);
        for (group : 0 .. GROUPS - 1) {
            found = found + (told[group] != 0 -> 1 : 0);
            assert(told[group] == 0 || told[group] == members);
            assert(numbered[group] == (group < members -> 1 : 0))
        }
        assert(found == members)
    }
}
