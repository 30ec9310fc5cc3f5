// Compiled kernels on disk: what is damaged, of others, or too much costs time and nothing else.
#include "solver/backends/kernel_cache.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "solver/backends/kernel_catalog.hpp"
#include "solver/backends/kernel_sources.hpp"
#include "tests/solver/hdf5/temporary_folder.hpp"

namespace perdure {
namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t no_bound = std::numeric_limits<std::uintmax_t>::max();

class KernelCaches : public testing::Test {
  protected:
    CompiledKernels get(KernelCache &cache, const std::string &key, const std::string &code = "code") {
        return cache.get(key, [&] {
            ++compiled_;
            return CompiledKernels{code, {{"cg<2>", "_Z2cg"}}};
        });
    }
    std::vector<fs::path> entries() const {
        std::vector<fs::path> found;
        for (const fs::directory_entry &entry : fs::directory_iterator(folder_)) {
            found.push_back(entry.path());
        }
        return found;
    }

    const tests::TemporaryFolder root_;
    const fs::path folder_ = root_ / "kernels";
    std::atomic<int> compiled_{0};
};

TEST_F(KernelCaches, TakeWhatTheBuildCompiled) {
    KernelCache builder(root_ / "built", no_bound);
    (void)get(builder, "key", "built");
    for (const fs::path &own : {folder_, fs::path()}) {
        KernelCache cache(own, no_bound, root_ / "built");
        EXPECT_TRUE(cache.has("key"));
        EXPECT_EQ(get(cache, "key").code, "built");
        EXPECT_FALSE(cache.has("another key"));
    }
    EXPECT_EQ(compiled_, 1);
    KernelCache cache(folder_, no_bound, root_ / "built");
    EXPECT_EQ(get(cache, "another key").code, "code");
    EXPECT_EQ(entries().size(), 1U) << "what the build compiled is not copied";
}

TEST_F(KernelCaches, CompileOnceAndKeepEveryByte) {
    const std::string code("\0\1\xff machine code\n\0", 18);
    KernelCache cache(folder_, no_bound);
    EXPECT_EQ(cache.trouble(), "");
    EXPECT_FALSE(cache.has("key"));
    EXPECT_EQ(get(cache, "key", code).code, code);
    EXPECT_TRUE(cache.has("key"));
    KernelCache later(folder_, no_bound);
    const CompiledKernels again = get(later, "key", "other");
    EXPECT_EQ(again.code, code);
    EXPECT_EQ(again.symbols.at("cg<2>"), "_Z2cg");
    EXPECT_EQ(compiled_, 1);
    EXPECT_EQ(get(later, "another key", "other").code, "other");
    struct stat status {};
    ASSERT_EQ(stat(folder_.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0700U);
    EXPECT_EQ(entries().size(), 2U) << "no lock is left";
}

TEST_F(KernelCaches, CompileAgainWhatIsDamaged) {
    KernelCache cache(folder_, no_bound);
    get(cache, "key");
    const fs::path file = entries().at(0);
    const auto size = static_cast<std::streamoff>(fs::file_size(file));
    for (std::streamoff place = 0; place < size; place += 7) {
        std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekg(place);
        const auto byte = static_cast<char>(bytes.get() ^ 0x20);
        bytes.seekp(place);
        bytes.put(byte);
        bytes.close();
        EXPECT_FALSE(cache.has("key")) << place;
        const int before = compiled_;
        EXPECT_EQ(get(cache, "key").code, "code");
        EXPECT_EQ(compiled_, before + 1) << place;
    }
    fs::resize_file(file, 5);
    EXPECT_EQ(get(cache, "key").code, "code");
    fs::remove(file);
    fs::create_directory(file);
    EXPECT_EQ(get(cache, "key").code, "code") << "a folder in place of the file";
    EXPECT_NE(cache.trouble(), "");
}

TEST_F(KernelCaches, TakeNoCodeFromWhereOthersMayWrite) {
    fs::create_directory(folder_);
    ASSERT_EQ(chmod(folder_.c_str(), 0777), 0);
    KernelCache cache(folder_, no_bound);
    EXPECT_NE(cache.trouble().find("chmod 700"), std::string::npos) << cache.trouble();
    EXPECT_EQ(get(cache, "key").code, "code");
    EXPECT_TRUE(entries().empty());
    fs::remove(folder_);
    std::ofstream(folder_) << "a file";
    KernelCache of_file(folder_, no_bound);
    EXPECT_NE(of_file.trouble().find("not a folder"), std::string::npos) << of_file.trouble();
    fs::remove(folder_);
    fs::create_directory(root_ / "elsewhere");
    fs::create_directory_symlink(root_ / "elsewhere", folder_);
    EXPECT_NE(KernelCache(folder_, no_bound).trouble(), "") << "a link may lead anywhere";
    KernelCache none(fs::path(), no_bound);
    EXPECT_EQ(get(none, "key").code, "code");
}

TEST_F(KernelCaches, CompileOnceAmongMany) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&] {
            KernelCache cache(folder_, no_bound);
            EXPECT_EQ(cache
                          .get("key",
                               [&] {
                                   ++compiled_;
                                   std::this_thread::sleep_for(std::chrono::milliseconds(200));
                                   return CompiledKernels{"code", {}};
                               })
                          .code,
                      "code");
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    EXPECT_EQ(compiled_, 1);
}

TEST_F(KernelCaches, LetGoWhatWasNotUsedForLongest) {
    KernelCache cache(folder_, 25000);
    const std::string large(10000, 'x');
    get(cache, "first", large);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    get(cache, "second", large);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    get(cache, "first", large);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    get(cache, "third", large);
    EXPECT_TRUE(cache.has("first"));
    EXPECT_FALSE(cache.has("second"));
    EXPECT_TRUE(cache.has("third"));
}

TEST(KernelCatalog, NamesEachKernelOnceAndFilesThatAreThere) {
    std::set<std::string_view> names;
    for (const KernelEntry &entry : kernel_catalog()) {
        EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
        EXPECT_EQ(find_kernel_entry(entry.name), &entry);
        const auto &sources = kernel_sources();
        EXPECT_TRUE(std::any_of(sources.begin(), sources.end(), [&](const KernelSource &source) {
            return source.path == entry.header;
        })) << entry.header;
    }
    EXPECT_EQ(find_kernel_entry("no_such_kernel"), nullptr);
    EXPECT_TRUE(find_kernel_entry("cg_multigrid")->mixed);
    EXPECT_FALSE(find_kernel_entry("bicgstab")->uniform_forms);
}

}  // namespace
}  // namespace perdure
