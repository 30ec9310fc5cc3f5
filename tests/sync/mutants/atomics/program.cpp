// Every form of an atomic passing messages, and sums, minima and maxima of many groups.
#include "sync/atomic_float.h"
#include "tests/sync/message_forms.hpp"
#include "tests/sync/mutants/mutant_program.hpp"

namespace perdure::tests {
namespace {

constexpr uint32 groups = 4;
constexpr uint32 rounds = 200;
constexpr uint32 turns = 100;

template <typename Word>
void run_messages() {
    Messages<Word> messages(4);
    run_groups(2, [&messages] {
        if (group_index() == 0) {
            messages.send();
        } else {
            messages.receive([](const std::string &, const std::string &) {
                end("wrong message: it was read before it was written\n");
            });
        }
    });
}

struct Words {
    uint32 added = 0;
    uint64 exchanged = 1;
    int32 least = 0;
    uint64 most = 0;
    double sum = 0.0;
    float small_sum = 0.0F;
    int64 minimum = ORDERED_PLUS_INFINITY;
    int64 maximum = ORDERED_MINUS_INFINITY;
    int32 small_minimum = ORDERED_FLOAT_PLUS_INFINITY;
    int32 small_maximum = ORDERED_FLOAT_MINUS_INFINITY;
};

void multiply(uint64 *word, uint64 factor) {
    uint64 seen = load_uint64(word, ORDER_RELAXED, SCOPE_DEVICE);
    for (;;) {
        const uint64 found = compare_exchange_uint64(word, seen, seen * factor, ORDER_RELAXED, SCOPE_DEVICE);
        if (found == seen) {
            return;
        }
        seen = found;
    }
}

/// The extremes come last, from any group, while the others still bring theirs.
void contend(Words &words, uint32 round) {
    for (uint32 turn = 0; turn < turns; ++turn) {
        const auto value = static_cast<int32>(turn * groups + (turn + round + group_index()) % groups);
        const auto real = static_cast<double>(value) - turns;
        add_uint32(&words.added, 1, ORDER_RELAXED, SCOPE_DEVICE);
        multiply(&words.exchanged, 5);
        min_int32(&words.least, -value, ORDER_RELAXED, SCOPE_DEVICE);
        max_uint64(&words.most, static_cast<uint64>(value), ORDER_RELAXED, SCOPE_DEVICE);
        add_double(&words.sum, 1.0, ORDER_RELAXED, SCOPE_DEVICE);
        add_float(&words.small_sum, 1.0F, ORDER_RELAXED, SCOPE_DEVICE);
        min_double(&words.minimum, -real, ORDER_RELAXED, SCOPE_DEVICE);
        max_double(&words.maximum, real, ORDER_RELAXED, SCOPE_DEVICE);
        min_float(&words.small_minimum, static_cast<float>(-real), ORDER_RELAXED, SCOPE_DEVICE);
        max_float(&words.small_maximum, static_cast<float>(real), ORDER_RELAXED, SCOPE_DEVICE);
    }
}

void expect_all(const Words &words) {
    constexpr uint32 all = groups * turns;
    constexpr double largest = double{all} - 1.0 - turns;
    uint64 power = 1;
    for (uint32 turn = 0; turn < all; ++turn) {
        power *= 5;
    }
    expect(words.added == all && words.exchanged == power, "wrong sum or product of words\n");
    expect(words.sum == double{all} && words.small_sum == static_cast<float>(all), "wrong sum of numbers\n");
    expect(words.least == -static_cast<int32>(all - 1), "wrong minimum of words\n");
    expect(words.most == all - 1, "wrong maximum of words\n");
    expect(ordered_value(words.minimum) == -largest, "wrong minimum of doubles\n");
    expect(ordered_float_value(words.small_minimum) == static_cast<float>(-largest),
           "wrong minimum of floats\n");
    expect(ordered_value(words.maximum) == largest, "wrong maximum of doubles\n");
    expect(ordered_float_value(words.small_maximum) == static_cast<float>(largest),
           "wrong maximum of floats\n");
}

/// The groups line up for the words of each round, all to fight for them.
void run_contention() {
    std::vector<Words> words(rounds);
    uint32 lined_up = 0;
    run_groups(groups, [&] {
        for (uint32 round = 0; round < rounds; ++round) {
            line_up(&lined_up);
            contend(words[round], round);
        }
    });
    for (const Words &of_round : words) {
        expect_all(of_round);
    }
}

void run_not_numbers() {
    Words words;
    for (const double value : {-1.0, std::nan(""), 1.0}) {
        min_double(&words.minimum, value, ORDER_RELAXED, SCOPE_DEVICE);
        max_double(&words.maximum, value, ORDER_RELAXED, SCOPE_DEVICE);
        min_float(&words.small_minimum, static_cast<float>(value), ORDER_RELAXED, SCOPE_DEVICE);
        max_float(&words.small_maximum, static_cast<float>(value), ORDER_RELAXED, SCOPE_DEVICE);
    }
    expect(words.minimum == ORDERED_MINUS_INFINITY && words.small_minimum == ORDERED_FLOAT_MINUS_INFINITY,
           "wrong minimum of a NaN\n");
    expect(words.maximum == ORDERED_PLUS_INFINITY && words.small_maximum == ORDERED_FLOAT_PLUS_INFINITY,
           "wrong maximum of a NaN\n");
}

/// The sum counts messages.
template <typename Real, typename Add, typename FetchAdd>
void run_counted_messages(const Add &add, const FetchAdd &fetch_add) {
    Real sent = 0;
    std::vector<uint32> messages(100);
    run_groups(2, [&] {
        for (uint32 i = 0; i < messages.size(); ++i) {
            if (group_index() == 0) {
                messages[i] = i + 1;
                add(&sent, Real{1}, ORDER_RELEASE, SCOPE_DEVICE);
            } else {
                while (fetch_add(&sent, Real{0}, ORDER_ACQUIRE, SCOPE_DEVICE) <= static_cast<Real>(i)) {
                    sched_yield();
                }
                expect(messages[i] == i + 1, "wrong message: it was counted before it was written\n");
            }
        }
    });
}

}  // namespace

void try_all(uint64 /*wait_limit*/) {
    run_messages<uint32>();
    run_messages<uint64>();
    run_contention();
    run_not_numbers();
    run_counted_messages<double>(add_double, fetch_add_double);
    run_counted_messages<float>(add_float, fetch_add_float);
}

}  // namespace perdure::tests
