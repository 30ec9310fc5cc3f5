// Processes that share a case, each with a part of the grid: the seam between the solver and MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "solver/failure.hpp"

namespace perdure {

/// The processes that an MPI launcher started together. Rank 0 leads: it decides which cases run, and it alone prints and writes. All ranks
/// call each function but give_up() in the same order, and each waits for the others without a limit. All processes end where one is killed
/// or has given no sign of life for `silence` seconds.
class Ranks {
  public:
    static constexpr double silence = 10.0;

    Ranks() = default;
    Ranks(const Ranks &) = delete;
    Ranks &operator=(const Ranks &) = delete;
    virtual ~Ranks() = default;

    [[nodiscard]] virtual int index() const = 0;
    [[nodiscard]] virtual int count() const = 0;
    /// How many ranks, this one among them, share the processors that this process may use.
    [[nodiscard]] virtual int on_same_processors() const = 0;
    /// How many ranks, this one among them, run on this host.
    [[nodiscard]] virtual int on_same_host() const = 0;
    /// The number of this rank among these.
    [[nodiscard]] virtual int index_on_host() const = 0;

    /// A message to a rank or from it, of at most `most` bytes, a number that both ranks know. exchange() sets `bytes` of what it receives.
    struct Piece {
        int rank;
        int tag;
        std::byte *data;
        std::size_t bytes;
        std::size_t most;
    };
    /// Waits until all messages have been sent and received.
    virtual void exchange(std::span<Piece> sent, std::span<Piece> received) = 0;
    /// Rank r has bytes ends[r - 1] to ends[r] - 1 of `all`; afterwards every rank has all.
    virtual void gather(std::byte *all, std::span<const std::size_t> ends) = 0;
    /// Each word becomes the smallest of all ranks.
    virtual void least(std::span<std::int64_t> words) = 0;
    /// Each word becomes the bits that it has in any rank.
    virtual void unite(std::span<std::uint64_t> words) = 0;
    /// The text of rank 0.
    virtual void broadcast(std::string &text) = 0;

    /// Says why, and ends all processes with this exit code.
    [[noreturn]] virtual void give_up(int code, const std::string &why) = 0;
    /// Waits until all have come here. Nothing else may be called afterwards.
    virtual void leave() = 0;
};

/// Those that this process shares cases with; null where it is alone.
Ranks *ranks();

/// The number of the first rank in which `here` is true; that of all ranks where it is in none. A process that is alone is rank 0 of one. All
/// ranks call it.
int first_rank_where(bool here);

/// Whether `here` is true in any rank; in a process that is alone, `here`. All ranks call it.
bool in_any_rank(bool here);

/// The longest time that any rank has measured; in a process that is alone, `here`. All ranks call it.
double seconds_of_slowest(double here);

/// Rank r has bytes ends[r - 1] to ends[r] - 1, which begin at `own`, of rank 0 perhaps in `all`; afterwards rank 0 has all of them in `all`, which others do not look at.
/// All ranks call it.
void gather_at_first(Ranks &ranks, std::byte *own, std::byte *all, std::span<const std::size_t> ends);

/// What each rank does without a word to the others. Where it fails in this one, throws what failed; where it fails in another, throws a
/// Failure that says in which rank, and why. All ranks call it.
void in_all_ranks(const std::function<void()> &work);

/// For a failure in the midst of work that ranks share: the others wait for this one, so all end. In a process that is alone it does nothing.
void end_all_ranks(const Failure &failure);

/// Joins the other processes, if an MPI launcher (mpirun, srun) started several with one command line; those with different ones each run
/// what they are asked to. Throws Failure(case_or_usage) where perdure has no MPI, or another one than the launcher.
void join_ranks();

}  // namespace perdure
