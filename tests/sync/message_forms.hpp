// Every form of an atomic that can publish or observe a message, for uint32 and uint64 words.
#pragma once

#include <string>
#include <vector>

#include "sync/dialect.h"

namespace perdure::tests {

/// Changes a word that holds `start`, with release.
template <typename Word>
struct Publishing {
    std::string name;
    Word start;
    void (*publish)(Word *word);
};

/// The value of the word, with acquire.
template <typename Word>
struct Observing {
    std::string name;
    Word (*observe)(Word *word);
};

template <typename Word>
std::vector<Publishing<Word>> publishing_forms();
template <typename Word>
std::vector<Observing<Word>> observing_forms();

#define PERDURE_PUBLISH(type, start, name, ...)              \
    {                                                        \
#name, start, [](type * word) { (void)__VA_ARGS__; } \
    }
#define PERDURE_FORMS(type)                                                                                \
    template <>                                                                                            \
    inline std::vector<Publishing<type>> publishing_forms<type>() {                                        \
        constexpr auto all = static_cast<type>(-1);                                                        \
        constexpr auto order = ORDER_RELEASE;                                                              \
        constexpr auto scope = SCOPE_DEVICE;                                                               \
        return {                                                                                           \
            PERDURE_PUBLISH(type, 0, store, store_##type(word, 1, order, scope)),                          \
            PERDURE_PUBLISH(type, 0, exchange, exchange_##type(word, 1, order, scope)),                    \
            PERDURE_PUBLISH(type, 0, compare_exchange, compare_exchange_##type(word, 0, 1, order, scope)), \
            PERDURE_PUBLISH(type, all, fetch_add, fetch_add_##type(word, 1, order, scope)),                \
            PERDURE_PUBLISH(type, 0, add, add_##type(word, 7, order, scope)),                              \
            PERDURE_PUBLISH(type, 0, fetch_sub, fetch_sub_##type(word, 1, order, scope)),                  \
            PERDURE_PUBLISH(type, 7, sub, sub_##type(word, 1, order, scope)),                              \
            PERDURE_PUBLISH(type, 7, fetch_and, fetch_and_##type(word, 3, order, scope)),                  \
            PERDURE_PUBLISH(type, all, and, and_##type(word, all / 2, order, scope)),                      \
            PERDURE_PUBLISH(type, 0, fetch_or, fetch_or_##type(word, all / 2 + 1, order, scope)),          \
            PERDURE_PUBLISH(type, 2, or, or_##type(word, 1, order, scope)),                                \
            PERDURE_PUBLISH(type, 3, fetch_xor, fetch_xor_##type(word, 1, order, scope)),                  \
            PERDURE_PUBLISH(type, 3, xor, xor_##type(word, all, order, scope)),                            \
            PERDURE_PUBLISH(type, all, fetch_min, fetch_min_##type(word, all / 2, order, scope)),          \
            PERDURE_PUBLISH(type, 3, min, min_##type(word, 1, order, scope)),                              \
            PERDURE_PUBLISH(type, all / 2, fetch_max, fetch_max_##type(word, all, order, scope)),          \
            PERDURE_PUBLISH(type, 3, max, max_##type(word, 4, order, scope)),                              \
            PERDURE_PUBLISH(type, 0, fence,                                                                \
                            (fence(order, scope), store_##type(word, 1, ORDER_RELAXED, scope))),           \
        };                                                                                                 \
    }                                                                                                      \
    template <>                                                                                            \
    inline std::vector<Observing<type>> observing_forms<type>() {                                          \
        constexpr auto all = static_cast<type>(-1);                                                        \
        constexpr auto order = ORDER_ACQUIRE;                                                              \
        constexpr auto scope = SCOPE_DEVICE;                                                               \
        return {                                                                                           \
            {"load", [](type *word) { return load_##type(word, order, scope); }},                          \
            {"compare_exchange",                                                                           \
             [](type *word) { return compare_exchange_##type(word, all - 1, all - 1, order, scope); }},    \
            {"fetch_add", [](type *word) { return fetch_add_##type(word, 0, order, scope); }},             \
            {"fetch_sub", [](type *word) { return fetch_sub_##type(word, 0, order, scope); }},             \
            {"fetch_and", [](type *word) { return fetch_and_##type(word, all, order, scope); }},           \
            {"fetch_or", [](type *word) { return fetch_or_##type(word, 0, order, scope); }},               \
            {"fetch_xor", [](type *word) { return fetch_xor_##type(word, 0, order, scope); }},             \
            {"fetch_min", [](type *word) { return fetch_min_##type(word, all, order, scope); }},           \
            {"fetch_max", [](type *word) { return fetch_max_##type(word, 0, order, scope); }},             \
            {"fence",                                                                                      \
             [](type *word) {                                                                              \
                 const type seen = load_##type(word, ORDER_RELAXED, scope);                                \
                 fence(order, scope);                                                                      \
                 return seen;                                                                              \
             }},                                                                                           \
        };                                                                                                 \
    }
PERDURE_FORMS(uint32)
PERDURE_FORMS(uint64)
#undef PERDURE_FORMS
#undef PERDURE_PUBLISH

/// One message for every pair of a publishing and an observing form, `rounds` times over; a fence is paired with
/// a fence, since ThreadSanitizer, by the means of sync/atomics_host.h, sees no other edge of one. The receiver
/// calls `wrong(publishing, observing)` for each message that it reads before it was written.
template <typename Word>
class Messages {
  public:
    explicit Messages(std::size_t rounds) {
        for (const Publishing<Word> &publishing : publishing_forms<Word>()) {
            for (const Observing<Word> &observing : observing_forms<Word>()) {
                if ((publishing.name == "fence") == (observing.name == "fence")) {
                    messages_.insert(messages_.end(), rounds, {publishing, observing, publishing.start, 0});
                }
            }
        }
    }
    void send() {
        for (std::size_t i = 0; i < messages_.size(); ++i) {
            messages_[i].text = i + 1;
            messages_[i].publishing.publish(&messages_[i].word);
        }
    }
    template <typename Wrong>
    void receive(const Wrong &wrong) {
        for (std::size_t i = 0; i < messages_.size(); ++i) {
            Message &message = messages_[i];
            while (message.observing.observe(&message.word) == message.publishing.start) {
                sched_yield();
            }
            if (message.text != i + 1) {
                wrong(message.publishing.name, message.observing.name);
            }
        }
    }

  private:
    struct Message {
        Publishing<Word> publishing;
        Observing<Word> observing;
        Word word;
        std::size_t text;
    };

    std::vector<Message> messages_;
};

}  // namespace perdure::tests
