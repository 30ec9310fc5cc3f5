// The helper's side: limits first, then the file; one line of JSON on standard output.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "solver/failure.hpp"
#include "solver/hdf5/describe_contents.hpp"
#include "solver/hdf5/hdf5.hpp"
#include "solver/hdf5/helper_process.hpp"
#include "solver/hdf5/open_dataset.hpp"
#include "solver/hdf5/probe.hpp"
#include "solver/hdf5/probe_state.hpp"
#include "solver/hdf5/read_dataset.hpp"
#include "solver/output/json_text.hpp"

namespace perdure {
namespace {

bool called = false;

void limit(int resource, rlim_t most) {
    rlimit current{};
    if (getrlimit(static_cast<__rlimit_resource_t>(resource), &current) != 0) {
        throw Failure(ExitCode::differs_or_internal, "cannot read the resource limits of the helper process");
    }
    current.rlim_cur = std::min(current.rlim_max, most);
    if (setrlimit(static_cast<__rlimit_resource_t>(resource), &current) != 0) {
        throw Failure(ExitCode::differs_or_internal, "cannot limit the resources of the helper process");
    }
}

void limit_resources(const hdf5::ProbeArguments &arguments) {
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, static_cast<rlim_t>(hdf5::processor_seconds(arguments)));
#ifndef PERDURE_SANITIZED  // the sanitizers reserve terabytes of addresses
    constexpr rlim_t address_space = rlim_t{8} << 30;
    const auto memory =
        static_cast<rlim_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
    limit(RLIMIT_AS, std::min(address_space, memory));
#endif
}

nlohmann::ordered_json work(const hdf5::ProbeArguments &arguments) {
    if (arguments.request == hdf5::ProbeRequest::description) {
        return hdf5::describe_contents(arguments.file);
    }
    if (arguments.request == hdf5::ProbeRequest::origin) {
        return hdf5::describe_origin(arguments.file);
    }
    if (arguments.request == hdf5::ProbeRequest::shape) {
        return hdf5::open_dataset(hdf5::open_file(arguments.file), arguments.file, arguments.dataset).shape;
    }
    return hdf5::check_dataset(arguments.file, arguments.dataset, arguments.shape,
                               arguments.request == hdf5::ProbeRequest::labels);
}

nlohmann::ordered_json answer(const hdf5::ProbeArguments &arguments) {
    try {
        limit_resources(arguments);
        return {{"result", work(arguments)}};
    } catch (const hdf5::InUse &failure) {
        return {{"failure", failure.what()}, {"code", static_cast<int>(failure.code())}, {"in_use", true}};
    } catch (const Failure &failure) {
        return {{"failure", failure.what()}, {"code", static_cast<int>(failure.code())}};
    } catch (const std::bad_alloc &) {
        return {
            {"failure", fmt::format("'{}' is damaged or too large: reading it needs more memory than allowed",
                                    arguments.file.string())},
            {"code", static_cast<int>(ExitCode::input_output)}};
    } catch (const std::exception &error) {
        return {{"failure", hdf5::unreadable_text(arguments.file, "damaged", error.what())},
                {"code", static_cast<int>(ExitCode::input_output)}};
    }
}

}  // namespace

std::optional<int> probe_main(int argc, char **argv) {
    called = true;
    hdf5::prepare_library();
    const auto arguments = hdf5::ProbeArguments::parse({argv + std::min(argc, 1), argv + argc});
    if (!arguments) {
        return std::nullopt;
    }
    end_with_parent(arguments->parent);
    std::cout << json_text(answer(*arguments)) << std::endl;
    return std::cout ? 0 : 1;
}

void probe_by(const std::string &program) {
    called = true;
    hdf5::prepare_library();
    use_helper_program(program);
}

bool hdf5::probe_main_was_called() {
    return called;
}

}  // namespace perdure
