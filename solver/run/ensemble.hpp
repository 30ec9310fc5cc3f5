// Runs of many small cases in one launch, each with a part of the device.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/case_file/config.hpp"

namespace perdure {

/// How a case runs as a member of an ensemble.
struct EnsemblePlan {
    int groups = 1;           // that one member has
    std::size_t at_once = 1;  // members that a launch runs at the same time

    bool operator==(const EnsemblePlan &) const = default;
};

/// Nothing where the case runs alone: it asks for that, a batch of `cases` is none, the device has no ensembles, or alone it keeps the
/// device busy. Throws Failure(case_or_usage) where the case asks for an ensemble that cannot be.
std::optional<EnsemblePlan> plan_ensemble(const Config &config, const Device &device, std::size_t cases);

/// Collects launches of the runs that its members do, each in a thread of its own, and starts together those of one kernel and one
/// shape: when there are so many that the device is full, or when all members wait and nobody is going to add one.
///
/// Publishes: what a member has written to its run, to the launch; what the launch has done or thrown, to the member. The edge is the
/// mutex, under which a launch is queued and known to be done. Needs progress of the members' threads and of its own.
class Ensemble {
  public:
    Ensemble(std::shared_ptr<Device> device, EnsemblePlan plan);
    Ensemble(const Ensemble &) = delete;
    Ensemble &operator=(const Ensemble &) = delete;
    /// All members must have ended.
    ~Ensemble();

    /// The part of the device that a member has. Its runs are for threads that hold a Membership.
    [[nodiscard]] const std::shared_ptr<Device> &part() const { return part_; }
    [[nodiscard]] const Device *whole() const { return device_.get(); }
    [[nodiscard]] const EnsemblePlan &plan() const { return plan_; }

    /// From before the thread of a member starts until the member has no launch any more.
    class Membership {
      public:
        explicit Membership(Ensemble &ensemble);
        Membership(const Membership &) = delete;
        Membership &operator=(const Membership &) = delete;
        ~Membership();

      private:
        Ensemble &ensemble_;
    };

    /// While it lives nobody adds members: what waits is started, however few.
    class NoMoreMembers {
      public:
        explicit NoMoreMembers(Ensemble &ensemble);
        NoMoreMembers(const NoMoreMembers &) = delete;
        NoMoreMembers &operator=(const NoMoreMembers &) = delete;
        ~NoMoreMembers();

      private:
        Ensemble &ensemble_;
    };

  private:
    friend class MemberRun;
    struct Waiting {
        Waiting(const MemberLaunch &of, KernelVariant of_variant, LaunchShape of_shape)
            : launch(of), variant(std::move(of_variant)), shape(std::move(of_shape)) {}

        MemberLaunch launch;
        KernelVariant variant;
        LaunchShape shape;
        std::condition_variable done{};  // for its member, and no other one
        bool is_done = false;
        double seconds = 0.0;
        std::exception_ptr error{};
    };

    [[nodiscard]] bool can_start() const;
    void wake_where_one_can_start();
    std::vector<std::shared_ptr<Waiting>> take_alike();
    void start(const std::vector<std::shared_ptr<Waiting>> &together);
    void conduct();

    std::shared_ptr<Device> device_;
    EnsemblePlan plan_;
    std::shared_ptr<Device> part_;
    std::mutex mutex_;
    std::condition_variable changed_;               // for the thread below
    std::deque<std::shared_ptr<Waiting>> waiting_;  // in the order in which they came
    std::size_t members_ = 0, nobody_adds_ = 0;
    bool is_over_ = false;
    std::jthread conductor_;  // last: joined first
};

}  // namespace perdure
