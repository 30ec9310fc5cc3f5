// Descriptors of open files that processes of one host pass each other.
#include <barrier>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "solver/failure.hpp"
#include "solver/ranks/rank_descriptors.hpp"

namespace perdure::rank_descriptors_test {
namespace {

/// What threads of a process that play ranks have in common.
struct Meeting {
    explicit Meeting(int ranks) : count(ranks), all_are_here(ranks) {}
    int count;
    std::barrier<> all_are_here;
    std::mutex mutex;
    std::vector<std::uint64_t> words;
    std::vector<std::byte> bytes;
};

class ThreadAsRank : public Ranks {
  public:
    ThreadAsRank(Meeting &meeting, int index) : meeting_(meeting), index_(index) {}
    [[nodiscard]] int index() const override { return index_; }
    [[nodiscard]] int count() const override { return meeting_.count; }
    [[nodiscard]] int on_same_processors() const override { return meeting_.count; }
    [[nodiscard]] int on_same_host() const override { return meeting_.count; }
    [[nodiscard]] int index_on_host() const override { return index_; }
    void exchange(std::span<Piece>, std::span<Piece>) override {}
    void gather(std::byte *all, std::span<const std::size_t> ends) override {
        const std::size_t begin = index_ == 0 ? 0 : ends[static_cast<std::size_t>(index_) - 1];
        const std::size_t end = ends[static_cast<std::size_t>(index_)];
        meet([&] {
            meeting_.bytes.resize(ends.back());
            std::copy(all + begin, all + end, meeting_.bytes.begin() + static_cast<std::ptrdiff_t>(begin));
        });
        std::ranges::copy(meeting_.bytes, all);
        meeting_.all_are_here.arrive_and_wait();
    }
    void least(std::span<std::int64_t>) override {}
    void unite(std::span<std::uint64_t> words) override {
        meet([&] {
            meeting_.words.resize(words.size());
            for (std::size_t i = 0; i < words.size(); ++i) {
                meeting_.words[i] |= words[i];
            }
        });
        std::ranges::copy(meeting_.words, words.begin());
        meeting_.all_are_here.arrive_and_wait();
        meeting_.words.assign(words.size(), 0);
        meeting_.all_are_here.arrive_and_wait();
    }
    void broadcast(std::string &) override {}
    [[noreturn]] void give_up(int, const std::string &) override { std::abort(); }
    void leave() override {}

  private:
    template <class Give>
    void meet(const Give &give) {
        {
            const std::scoped_lock lock(meeting_.mutex);
            give();
        }
        meeting_.all_are_here.arrive_and_wait();
    }

    Meeting &meeting_;
    int index_;
};

FileDescriptor file_with(std::uint64_t number) {
    FileDescriptor file(memfd_create("number", MFD_CLOEXEC));
    EXPECT_EQ(pwrite(file.number(), &number, sizeof number, 0), ssize_t{sizeof number});
    return file;
}

std::uint64_t number_in(const FileDescriptor &file) {
    std::uint64_t number = 0;
    EXPECT_EQ(pread(file.number(), &number, sizeof number, 0), ssize_t{sizeof number});
    return number;
}

constexpr std::uint64_t of_rank = 1000;

/// More of them than one message has, from some ranks; from one none.
TEST(RankDescriptors, EveryRankGetsThoseOfAllOthersInOrder) {
    const std::vector<std::size_t> counts{3, 0, 130, 64};
    Meeting meeting(static_cast<int>(counts.size()));
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < meeting.count; ++rank) {
        threads.emplace_back([&meeting, &counts, rank] {
            ThreadAsRank ranks(meeting, rank);
            const RankDescriptors descriptors(ranks);
            for (int round = 0; round < 2; ++round) {
                std::vector<FileDescriptor> own;
                for (std::size_t i = 0; i < counts[static_cast<std::size_t>(rank)]; ++i) {
                    own.push_back(file_with(static_cast<std::uint64_t>(rank) * of_rank + i));
                }
                const auto found = descriptors.exchange(own, counts);
                for (std::size_t other = 0; other < counts.size(); ++other) {
                    ASSERT_EQ(found[other].size(),
                              other == static_cast<std::size_t>(rank) ? 0 : counts[other]);
                    for (std::size_t i = 0; i < found[other].size(); ++i) {
                        EXPECT_EQ(number_in(found[other][i]), other * of_rank + i);
                    }
                }
                meeting.all_are_here.arrive_and_wait();
            }
        });
    }
}

TEST(DescriptorSocket, SaysWhenNothingComes) {
    const DescriptorSocket socket(std::chrono::seconds(1));
    try {
        (void)socket.receive();
        FAIL() << "received something";
    } catch (const Failure &failure) {
        EXPECT_NE(std::string(failure.what()).find("none came in time"), std::string::npos) << failure.what();
        EXPECT_EQ(failure.code(), ExitCode::device);
    }
}

TEST(DescriptorSocket, SaysWhenNobodyListens) {
    const DescriptorSocket::Address gone = DescriptorSocket(std::chrono::seconds(1)).address();
    std::vector<FileDescriptor> files;
    files.push_back(file_with(1));
    EXPECT_THROW(DescriptorSocket(std::chrono::seconds(1)).send(gone, files), Failure);
}

/// Who knows nothing of descriptors, but has found the name.
TEST(DescriptorSocket, TakesAStrangersMessageForOneWithoutDescriptors) {
    const DescriptorSocket socket(std::chrono::seconds(5));
    const FileDescriptor stranger(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const DescriptorSocket::Address to = socket.address();
    ASSERT_EQ(sendto(stranger.number(), "x", 1, 0, reinterpret_cast<const sockaddr *>(&to.name), to.bytes),
              1);
    EXPECT_TRUE(socket.receive().descriptors.empty());
}

/// The receiver's file is the sender's, also behind the end of the sender's descriptor.
TEST(DescriptorSocket, PassesTheFileItself) {
    const DescriptorSocket one(std::chrono::seconds(5)), other(std::chrono::seconds(5));
    std::vector<FileDescriptor> files;
    files.push_back(file_with(7));
    one.send(other.address(), files);
    const DescriptorSocket::Received received = other.receive();
    EXPECT_EQ(received.from, one.address());
    ASSERT_EQ(received.descriptors.size(), 1U);
    const std::uint64_t later = 8;
    EXPECT_EQ(pwrite(files.front().number(), &later, sizeof later, 0), ssize_t{sizeof later});
    files.clear();
    EXPECT_EQ(number_in(received.descriptors.front()), 8U);
    EXPECT_NE(fcntl(received.descriptors.front().number(), F_GETFD) & FD_CLOEXEC, 0);
}

}  // namespace
}  // namespace perdure::rank_descriptors_test
