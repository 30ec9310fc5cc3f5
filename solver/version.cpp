#include "solver/version.hpp"

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstring>

#include <fmt/format.h>

namespace perdure {
namespace {

constexpr std::size_t padded(std::size_t bytes) {
    return (bytes + 3) / 4 * 4;
}

/// The note of the linker with the hash of what it linked, in hexadecimal digits; empty where these bytes hold none.
std::string build_id_of(const char *note, std::size_t bytes) {
    while (bytes > sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) head{};
        std::memcpy(&head, note, sizeof head);
        const std::size_t name = sizeof head;
        const std::size_t content = name + padded(head.n_namesz);
        const std::size_t next = content + padded(head.n_descsz);
        if (next > bytes) {
            break;
        }
        if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && std::memcmp(note + name, "GNU", 4) == 0) {
            std::string digits;
            for (std::size_t i = 0; i < head.n_descsz; ++i) {
                digits += fmt::format("{:02x}", static_cast<unsigned char>(note[content + i]));
            }
            return digits;
        }
        note += next;
        bytes -= next;
    }
    return {};
}

/// Whether a program or library that the process has loaded is the one that this file is linked into.
bool holds_this(const dl_phdr_info &linked) {
    const auto here = reinterpret_cast<ElfW(Addr)>(&holds_this);
    for (int i = 0; i < linked.dlpi_phnum; ++i) {
        const auto &part = linked.dlpi_phdr[i];
        const ElfW(Addr) begin = linked.dlpi_addr + part.p_vaddr;
        if (part.p_type == PT_LOAD && here >= begin && here < begin + part.p_memsz) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::string version() {
    return PERDURE_VERSION;
}

std::string built_with() {
    return PERDURE_BUILT_WITH;
}

std::string source_folder() {
    return PERDURE_SOURCE_FOLDER;
}

std::string build_id() {
    std::string id;
    const auto look = [](dl_phdr_info *linked, std::size_t, void *found) {
        if (!holds_this(*linked)) {
            return 0;
        }
        for (int i = 0; i < linked->dlpi_phnum; ++i) {
            const auto &part = linked->dlpi_phdr[i];
            std::string &text = *static_cast<std::string *>(found);
            if (part.p_type == PT_NOTE && text.empty()) {
                text = build_id_of(reinterpret_cast<const char *>(linked->dlpi_addr + part.p_vaddr),
                                   part.p_memsz);
            }
        }
        return 1;
    };
    dl_iterate_phdr(look, &id);
    return id;
}

}  // namespace perdure
