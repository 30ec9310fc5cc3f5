#include "solver/ranks/descriptor_socket.hpp"

#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "solver/failure.hpp"

namespace perdure {
namespace {

[[noreturn]] void fail(const std::string &what) {
    const int error = errno;
    const bool is_late = error == EAGAIN || error == EWOULDBLOCK;
    throw Failure(ExitCode::device,
                  fmt::format("{} between the processes of this host failed: {}; they must see each other's "
                              "sockets, as in one container",
                              what, is_late ? "none came in time" : std::strerror(error)));
}

/// Room for the descriptors of a message.
struct Room {
    alignas(cmsghdr) std::array<char, CMSG_SPACE(DescriptorSocket::most * sizeof(int))> bytes{};
};

msghdr message_of(iovec &one_byte, Room &room, std::size_t bytes) {
    msghdr message{};
    message.msg_iov = &one_byte;
    message.msg_iovlen = 1;
    message.msg_control = room.bytes.data();
    message.msg_controllen = bytes;
    return message;
}

}  // namespace

DescriptorSocket::DescriptorSocket(std::chrono::seconds timeout)
    : socket_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    const timeval limit{timeout.count(), 0};
    const sockaddr_un any{AF_UNIX, {}};
    if (!socket_.is_open() ||
        setsockopt(socket_.number(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) != 0 ||
        setsockopt(socket_.number(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) != 0 ||
        bind(socket_.number(), reinterpret_cast<const sockaddr *>(&any), sizeof any.sun_family) != 0) {
        fail("a socket");
    }
}

DescriptorSocket::Address DescriptorSocket::address() const {
    Address found{{}, sizeof(sockaddr_un)};
    if (getsockname(socket_.number(), reinterpret_cast<sockaddr *>(&found.name), &found.bytes) != 0) {
        fail("a socket");
    }
    return found;
}

bool operator==(const DescriptorSocket::Address &one, const DescriptorSocket::Address &other) {
    return one.bytes == other.bytes && std::memcmp(&one.name, &other.name, one.bytes) == 0;
}

void DescriptorSocket::send(const Address &to, std::span<const FileDescriptor> descriptors) const {
    std::vector<int> numbers;
    for (const FileDescriptor &descriptor : descriptors) {
        numbers.push_back(descriptor.number());
    }
    const std::size_t bytes = numbers.size() * sizeof(int);
    Room room;
    char byte = 0;
    iovec one_byte{&byte, sizeof byte};
    sockaddr_un name = to.name;
    msghdr message = message_of(one_byte, room, CMSG_SPACE(bytes));
    message.msg_name = &name;
    message.msg_namelen = to.bytes;
    cmsghdr *const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(bytes);
    std::memcpy(CMSG_DATA(header), numbers.data(), bytes);
    if (sendmsg(socket_.number(), &message, 0) < 0) {
        fail("a message with handles of memory");
    }
}

DescriptorSocket::Received DescriptorSocket::receive() const {
    Received received{};
    Room room;
    char byte = 0;
    iovec one_byte{&byte, sizeof byte};
    msghdr message = message_of(one_byte, room, room.bytes.size());
    message.msg_name = &received.from.name;
    message.msg_namelen = sizeof received.from.name;
    if (recvmsg(socket_.number(), &message, MSG_CMSG_CLOEXEC) < 0) {
        fail("a message with handles of memory");
    }
    received.from.bytes = message.msg_namelen;
    const cmsghdr *const header = CMSG_FIRSTHDR(&message);
    if (header != nullptr && header->cmsg_type == SCM_RIGHTS) {
        std::vector<int> numbers((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        std::memcpy(numbers.data(), CMSG_DATA(header), numbers.size() * sizeof(int));
        for (const int descriptor : numbers) {
            received.descriptors.emplace_back(descriptor);
        }
    }
    if ((message.msg_flags & MSG_CTRUNC) != 0) {
        throw Failure(ExitCode::device,
                      "this process cannot open as many files as the handles of memory of the others need; "
                      "raise its limit (ulimit -n)");
    }
    return received;
}

}  // namespace perdure
