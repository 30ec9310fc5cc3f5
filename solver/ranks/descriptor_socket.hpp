// Passes descriptors of open files between processes of one host.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <vector>

#include <sys/un.h>

#include "solver/file_descriptor.hpp"

namespace perdure {

/// A datagram socket of the system (unix(7)) with a name that the system gives it. All functions throw Failure(device).
class DescriptorSocket {
  public:
    /// Descriptors of one message; the system allows 253.
    static constexpr std::size_t most = 64;

    /// send() and receive() wait no longer than `timeout`.
    explicit DescriptorSocket(std::chrono::seconds timeout);

    /// By which others find it, and know whose messages are its.
    struct Address {
        sockaddr_un name;
        socklen_t bytes;
        friend bool operator==(const Address &one, const Address &other);
    };
    [[nodiscard]] Address address() const;

    /// Descriptors of this process, 1 to `most` of them, to another socket.
    void send(const Address &to, std::span<const FileDescriptor> descriptors) const;

    /// The next message, which may be a stranger's, without descriptors. The files are open in this process, too.
    struct Received {
        Address from;
        std::vector<FileDescriptor> descriptors;
    };
    [[nodiscard]] Received receive() const;

  private:
    FileDescriptor socket_;
};

}  // namespace perdure
