// Ranks over MPI (MPI: A Message-Passing Interface Standard, version 3.1). Several threads send and receive, one at a time but for the signs
// of life.
#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "solver/failure.hpp"
#include "solver/ranks/open_mpi_ranks.hpp"

namespace perdure {
namespace {

using Clock = std::chrono::steady_clock;

/// A launcher forwards what processes say, and loses what it has not read when one of them ends all.
constexpr std::chrono::milliseconds time_to_be_read{300};

[[noreturn]] void end_all(int rank, int code, const std::string &why) {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    fmt::print(stderr, "error: rank {} (process {} on host {}): {}; all ranks end\n", rank, getpid(),
               host.data(), why);
    std::fflush(stderr);
    std::this_thread::sleep_for(time_to_be_read);
    MPI_Abort(MPI_COMM_WORLD, code);
    std::abort();
}

/// Each rank tells the next one every second that it lives, from a thread of its own: also while its solver or its disk keep it waiting. One
/// that hears no more tells the next one that it ends: where the network between hosts is cut, MPI_Abort reaches no rank.
class SignsOfLife {
  public:
    SignsOfLife(int index, int count) : index_(index), count_(count) {
        MPI_Comm_dup(MPI_COMM_WORLD, &all_);
        thread_ = std::thread([this] { run(); });
    }
    SignsOfLife(const SignsOfLife &) = delete;
    SignsOfLife &operator=(const SignsOfLife &) = delete;
    ~SignsOfLife() {
        leaving_ = true;
        thread_.join();
        MPI_Comm_free(&all_);
    }

  private:
    static constexpr std::chrono::milliseconds nap{50};
    static constexpr std::chrono::seconds interval{1};
    enum class Sign : char { alive, leaving, ending };

    void run() {
        Clock::time_point heard = Clock::now(), awake = heard, told = heard - interval;
        bool has_left = false, other_has_left = false;
        while (!has_left || !other_has_left) {
            const Clock::time_point now = Clock::now();
            if (now - awake > interval) {
                heard = now;  // this process stood still meanwhile
            }
            awake = now;
            if (!has_left && (leaving_ || now - told >= interval)) {
                has_left = leaving_;
                send(has_left ? Sign::leaving : Sign::alive);
                told = now;
            }
            if (const std::optional<Sign> sign = receive()) {
                if (*sign == Sign::ending) {
                    end(fmt::format("rank {} ends, because it no longer hears from the others", before()));
                }
                other_has_left = other_has_left || *sign == Sign::leaving;
                heard = now;
            } else if (!other_has_left &&
                       std::chrono::duration<double>(now - heard).count() > Ranks::silence) {
                end(fmt::format("rank {} has given no sign of life for {:g} s", before(), Ranks::silence));
            } else {
                std::this_thread::sleep_for(nap);
            }
        }
    }

    [[nodiscard]] int before() const { return (index_ + count_ - 1) % count_; }

    [[noreturn]] void end(const std::string &why) {
        static constexpr Sign sign = Sign::ending;
        MPI_Request sent = MPI_REQUEST_NULL;
        MPI_Isend(&sign, 1, MPI_CHAR, (index_ + 1) % count_, 0, all_, &sent);  // the next one may be cut off
        end_all(index_, static_cast<int>(ExitCode::device), why);
    }

    void send(Sign sign) { MPI_Send(&sign, 1, MPI_CHAR, (index_ + 1) % count_, 0, all_); }

    std::optional<Sign> receive() {
        int is_there = 0;
        MPI_Iprobe(before(), 0, all_, &is_there, MPI_STATUS_IGNORE);
        if (is_there == 0) {
            return std::nullopt;
        }
        Sign sign{};
        MPI_Recv(&sign, 1, MPI_CHAR, before(), 0, all_, MPI_STATUS_IGNORE);
        return sign;
    }

    int index_, count_;
    MPI_Comm all_ = MPI_COMM_NULL;
    std::atomic<bool> leaving_ = false;
    std::thread thread_;
};

class MpiRanks : public Ranks {
  public:
    MpiRanks() {
        int provided = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
        MPI_Comm_rank(MPI_COMM_WORLD, &index_);
        MPI_Comm_size(MPI_COMM_WORLD, &count_);
        if (provided < MPI_THREAD_MULTIPLE) {
            give_up(static_cast<int>(ExitCode::device),
                    "this MPI does not let several threads of a process send (MPI_THREAD_MULTIPLE)");
        }
        count_neighbours();
        if (count_ > 1) {
            signs_.emplace(index_, count_);
        }
    }

    [[nodiscard]] int index() const override { return index_; }
    [[nodiscard]] int count() const override { return count_; }
    [[nodiscard]] int on_same_processors() const override { return on_same_processors_; }
    [[nodiscard]] int on_same_host() const override { return on_same_host_; }
    [[nodiscard]] int index_on_host() const override { return index_on_host_; }

    void exchange(std::span<Piece> sent, std::span<Piece> received) override {
        std::vector<MPI_Request> requests;
        for (const Piece &piece : received) {
            for_each_message(piece.most, piece.most, [&](int number, std::size_t begin, int bytes) {
                MPI_Irecv(piece.data + begin, bytes, MPI_BYTE, piece.rank, tag_of(piece, number),
                          MPI_COMM_WORLD, &requests.emplace_back());
            });
        }
        for (const Piece &piece : sent) {
            for_each_message(piece.bytes, piece.most, [&](int number, std::size_t begin, int bytes) {
                MPI_Isend(piece.data + begin, bytes, MPI_BYTE, piece.rank, tag_of(piece, number),
                          MPI_COMM_WORLD, &requests.emplace_back());
            });
        }
        std::vector<MPI_Status> states(requests.size());
        await(requests, states.data());
        std::size_t next = 0;
        for (Piece &piece : received) {
            piece.bytes = 0;
            for_each_message(piece.most, piece.most, [&](int, std::size_t, int) {
                int bytes = 0;
                MPI_Get_count(&states[next++], MPI_BYTE, &bytes);
                piece.bytes += static_cast<std::size_t>(bytes);
            });
        }
    }

    void gather(std::byte *all, std::span<const std::size_t> ends) override {
        std::vector<MPI_Request> sent(1);
        if (ends.back() <= INT_MAX) {
            std::vector<int> counts, begins;
            for (const std::size_t end : ends) {
                begins.push_back(counts.empty() ? 0 : begins.back() + counts.back());
                counts.push_back(static_cast<int>(end) - begins.back());
            }
            MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_BYTE, all, counts.data(), begins.data(), MPI_BYTE,
                            MPI_COMM_WORLD, sent.data());
            await(sent, MPI_STATUSES_IGNORE);
            return;
        }
        std::size_t begin = 0;
        for (std::size_t rank = 0; rank < ends.size(); begin = ends[rank++]) {
            for (std::size_t done = begin; done < ends[rank]; done += largest_piece) {
                MPI_Ibcast(all + done, count_of(std::min(ends[rank] - done, largest_piece)), MPI_BYTE,
                           static_cast<int>(rank), MPI_COMM_WORLD, sent.data());
                await(sent, MPI_STATUSES_IGNORE);
            }
        }
    }

    void least(std::span<std::int64_t> words) override {
        reduce(words.data(), words.size(), MPI_INT64_T, MPI_MIN);
    }

    void unite(std::span<std::uint64_t> words) override {
        reduce(words.data(), words.size(), MPI_UINT64_T, MPI_BOR);
    }

    void broadcast(std::string &text) override {
        std::uint64_t length = text.size();
        std::vector<MPI_Request> sent(1);
        MPI_Ibcast(&length, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD, sent.data());
        await(sent, MPI_STATUSES_IGNORE);
        text.resize(length);
        MPI_Ibcast(text.data(), count_of(length), MPI_CHAR, 0, MPI_COMM_WORLD, sent.data());
        await(sent, MPI_STATUSES_IGNORE);
    }

    [[noreturn]] void give_up(int code, const std::string &why) override { end_all(index_, code, why); }

    void leave() override {
        MPI_Barrier(MPI_COMM_WORLD);
        signs_.reset();
        MPI_Finalize();
    }

  private:
    /// Looks again and again, at once at first; who has waited for long leaves the processor to others between two looks.
    static void await(std::vector<MPI_Request> &requests, MPI_Status *states) {
        constexpr int looks_at_once = 1000, looks_with_others = 3000;
        for (int look = 0, is_there = 0;; ++look) {
            MPI_Testall(static_cast<int>(requests.size()), requests.data(), &is_there, states);
            if (is_there != 0) {
                return;
            }
            if (look > looks_with_others) {
                std::this_thread::sleep_for(std::chrono::microseconds(50));
            } else if (look > looks_at_once) {
                std::this_thread::yield();
            }
        }
    }

    void reduce(void *words, std::size_t count, MPI_Datatype type, MPI_Op operation) {
        std::vector<MPI_Request> sent(1);
        MPI_Iallreduce(MPI_IN_PLACE, words, count_of(count), type, operation, MPI_COMM_WORLD, sent.data());
        await(sent, MPI_STATUSES_IGNORE);
    }

    /// A piece of which there may be more than MPI counts goes in several messages, the last ones empty where there is less.
    template <typename Use>
    static void for_each_message(std::size_t bytes, std::size_t most, const Use &use) {
        int number = 0;
        for (std::size_t begin = 0; begin < most; begin += largest_piece) {
            const std::size_t end = std::min(begin + largest_piece, bytes);
            use(number++, begin, static_cast<int>(end - std::min(begin, end)));
        }
    }
    static int tag_of(const Piece &piece, int number) { return 2 * number + piece.tag; }

    void count_neighbours() {
        MPI_Comm host = MPI_COMM_NULL;
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
        MPI_Comm_size(host, &on_same_host_);
        MPI_Comm_rank(host, &index_on_host_);
        cpu_set_t own;
        CPU_ZERO(&own);
        sched_getaffinity(0, sizeof own, &own);
        std::vector<cpu_set_t> all(static_cast<std::size_t>(on_same_host_));
        MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, host);
        MPI_Comm_free(&host);
        on_same_processors_ = static_cast<int>(std::ranges::count_if(
            all, [&](const cpu_set_t &other) { return std::memcmp(&own, &other, sizeof own) == 0; }));
    }

    static constexpr std::size_t largest_piece = std::size_t{1} << 30U;

    /// MPI counts by int.
    [[nodiscard]] int count_of(std::size_t things) const {
        if (things > INT_MAX) {
            end_all(index_, static_cast<int>(ExitCode::device),
                    fmt::format("a message of {} values is longer than MPI allows; use more ranks", things));
        }
        return static_cast<int>(things);
    }

    int index_ = 0, count_ = 1, on_same_processors_ = 1, on_same_host_ = 1, index_on_host_ = 0;
    std::optional<SignsOfLife> signs_;
};

}  // namespace
}  // namespace perdure

extern "C" __attribute__((visibility("default"))) perdure::Ranks *perdure_open_mpi_ranks() {
    return new perdure::MpiRanks;  // NOLINT(cppcoreguidelines-owning-memory): until the process ends
}
