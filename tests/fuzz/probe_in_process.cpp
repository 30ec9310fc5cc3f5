// probe() without its helper process: the targets are to see what happens inside the helper.
#include <fmt/format.h>

#include <cstdlib>
#include <new>
#include <nlohmann/json.hpp>

#include "solver/failure.hpp"
#include "solver/hdf5/describe_contents.hpp"
#include "solver/hdf5/hdf5.hpp"
#include "solver/hdf5/open_dataset.hpp"
#include "solver/hdf5/probe.hpp"
#include "solver/hdf5/read_dataset.hpp"

// The helper limits its address space: an allocation that is too large is std::bad_alloc, where the sanitizer would end the
// process.
namespace {

constexpr std::size_t largest_allocation = std::size_t{1} << 29U;

}  // namespace

void *operator new(std::size_t bytes) {
    void *const memory = bytes <= largest_allocation ? std::malloc(bytes == 0 ? 1 : bytes) : nullptr;
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}
void *operator new(std::size_t bytes, const std::nothrow_t & /*tag*/) noexcept {
    return bytes <= largest_allocation ? std::malloc(bytes == 0 ? 1 : bytes) : nullptr;
}
void operator delete(void *memory, const std::nothrow_t & /*tag*/) noexcept {
    std::free(memory);
}
void operator delete(void *memory) noexcept {
    std::free(memory);
}
void operator delete(void *memory, std::size_t /*bytes*/) noexcept {
    std::free(memory);
}

namespace perdure::hdf5 {

nlohmann::ordered_json probe(const ProbeArguments &arguments) {
    require_file(arguments.file);
    const auto damaged = [&](const char *reason) {
        return Failure(ExitCode::input_output,
                       fmt::format("'{}' is damaged: {}", arguments.file.string(), reason));
    };
    try {
        if (arguments.request == ProbeRequest::description) {
            // passes through text, as from process to process: numbers that are not finite become null
            const std::string line = describe_contents(arguments.file)
                                         .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
            return nlohmann::ordered_json::parse(line);
        }
        if (arguments.request == ProbeRequest::origin) {
            return describe_origin(arguments.file);
        }
        if (arguments.request == ProbeRequest::shape) {
            return open_dataset(open_file(arguments.file), arguments.file, arguments.dataset).shape;
        }
        return check_dataset(arguments.file, arguments.dataset, arguments.shape,
                             arguments.request == ProbeRequest::labels);
    } catch (const Failure &) {
        throw;
    } catch (const std::exception &error) {
        throw damaged(error.what());
    }
}

}  // namespace perdure::hdf5
