#include "solver/hdf5/encode_file.hpp"

#include <gtest/gtest.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <numeric>

#include "solver/hdf5/file_bytes.hpp"
#include "solver/hdf5/snapshot_file.hpp"
#include "solver/hdf5/write_objects.hpp"
#include "tests/solver/hdf5/temporary_folder.hpp"

namespace perdure::tests::encode_file_test {
namespace {

using hdf5::Extent;
using hdf5::Handle;
using hdf5::Object;

const FieldValues doubles = LargeVector<double>{1.0, -2.5, 0.0, 1.0e300, 5.0, 6.0};
const FieldValues floats = LargeVector<float>{1.5F, 2.5F, 3.5F, -0.0F, 1.0e-30F, 6.0F};

/// Every kind of object and attribute that results have.
void fill(Object &root) {
    root.set("number", 0.1);
    root.set("count", std::int64_t{-7});
    root.set("text", "a small \xc3\xa4");
    root.set("empty", "");
    root.set("long", std::string(5000, 'x'));
    root.set("floats", std::vector{1.5F, -2.5F});
    root.set("texts", std::vector<std::string>{"one", "", "three"});
    root.set("kind", hdf5::AsciiText{"ImageData"});
    Object &x = root.add("x", std::vector{0.5, 1.5, 2.5});
    x.is_scale = true;
    x.set("units", "m");
    Object &y = root.add("y", std::vector<std::int64_t>{3, 4});
    y.is_scale = true;
    root.add("time", 0.25).set("units", "s");
    Object &inner = root.group("outer").group("inner");
    inner.set("answer", std::int64_t{42});
    inner.add("nothing", std::vector<double>{});
    inner.add("names", std::vector<std::string>{"u", "", "flux"});
    inner.add("alone", std::vector{1.0, 2.0}).scales = {y.path};
    Object &table = inner.add("table", hdf5::Values(std::vector{1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, Extent{2, 3}));
    table.scales = {"", x.path};
    root.group("empty_group");
    Object &u = inner.add("u", hdf5::FieldStorage{&doubles, {2, 3}, {2, 3}, 6});
    u.scales = {y.path, x.path};
    u.is_in_root_too = true;
    u.set("_FillValue", std::vector{hdf5::missing_value<double>});
    encode_chunk(std::get<hdf5::FieldStorage>(u.data));
    Object &v = inner.add("v", hdf5::FieldStorage{&floats, {2, 3}, {}, 0});
    v.scales = {y.path, x.path};
    v.is_in_root_too = true;
}

void write_through_library(const std::filesystem::path &path, const Object &root) {
    hdf5::File file = hdf5::create_file(path);
    hdf5::write_objects(file, root);
    file.close("close the file");
}

void expect_equal_spaces(const Handle &one, const Handle &other, const std::string &place) {
    EXPECT_EQ(H5Sget_simple_extent_type(one), H5Sget_simple_extent_type(other)) << place;
    EXPECT_GT(H5Sextent_equal(one, other), 0) << place;
}

/// As text where it is text of any length, else its bytes.
template <typename Read>
std::string values_of(hid_t type, hid_t space, const Read &read) {
    const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
    if (H5Tis_variable_str(type) > 0) {
        std::vector<char *> texts(count, nullptr);
        EXPECT_GE(read(texts.data()), 0);
        std::string all;
        for (const char *text : texts) {
            all += (text == nullptr ? std::string() : text) + '\n';
        }
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts.data());
        return all;
    }
    std::string bytes(count * H5Tget_size(type), '\0');
    if (!bytes.empty()) {
        EXPECT_GE(read(bytes.data()), 0);
    }
    return bytes;
}

std::vector<std::string> attribute_names(hid_t object) {
    std::vector<std::string> names;
    H5Aiterate2(
        object, H5_INDEX_NAME, H5_ITER_INC, nullptr,
        [](hid_t, const char *name, const H5A_info_t *, void *to) {
            static_cast<std::vector<std::string> *>(to)->emplace_back(name);
            return herr_t{0};
        },
        &names);
    return names;
}

void expect_equal_attributes(hid_t one, hid_t other, const std::string &place) {
    const std::vector<std::string> names = attribute_names(one);
    EXPECT_EQ(names, attribute_names(other)) << place;
    for (const std::string &name : names) {
        const std::string here = place + " " + name;
        const Handle a(H5Aopen(one, name.c_str(), H5P_DEFAULT), H5Aclose, "open");
        const Handle b(H5Aopen(other, name.c_str(), H5P_DEFAULT), H5Aclose, "open");
        const Handle type(H5Aget_type(a), H5Tclose, "type"), other_type(H5Aget_type(b), H5Tclose, "type");
        const Handle space(H5Aget_space(a), H5Sclose, "space"),
            other_space(H5Aget_space(b), H5Sclose, "space");
        EXPECT_GT(H5Tequal(type, other_type), 0) << here;
        expect_equal_spaces(space, other_space, here);
        if (name != "DIMENSION_LIST" && name != "REFERENCE_LIST") {  // which hold addresses
            EXPECT_EQ(values_of(type, space, [&](void *to) { return H5Aread(a, type, to); }),
                      values_of(type, space, [&](void *to) { return H5Aread(b, type, to); }))
                << here;
        }
    }
}

void expect_equal_datasets(hid_t one, hid_t other, const std::string &place) {
    const Handle type(H5Dget_type(one), H5Tclose, "type"), other_type(H5Dget_type(other), H5Tclose, "type");
    const Handle space(H5Dget_space(one), H5Sclose, "space"),
        other_space(H5Dget_space(other), H5Sclose, "space");
    const Handle layout(H5Dget_create_plist(one), H5Pclose, "properties");
    const Handle other_layout(H5Dget_create_plist(other), H5Pclose, "properties");
    EXPECT_GT(H5Tequal(type, other_type), 0) << place;
    EXPECT_GT(H5Pequal(layout, other_layout), 0) << place;
    EXPECT_EQ(H5Dget_storage_size(one), H5Dget_storage_size(other)) << place;
    expect_equal_spaces(space, other_space, place);
    const auto values = [&](hid_t dataset) {
        return values_of(type, space,
                         [&](void *to) { return H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to); });
    };
    EXPECT_EQ(values(one), values(other)) << place;
}

/// The same as the library sees it: names, counts of links, attributes, types, layouts and values.
void expect_equal(hid_t one, hid_t other, const Object &object) {
    const std::string path = object.path.empty() ? "/" : object.path;
    const Handle a(H5Oopen(one, path.c_str(), H5P_DEFAULT), H5Oclose, "open " + path);
    const Handle b(H5Oopen(other, path.c_str(), H5P_DEFAULT), H5Oclose, "open " + path);
    H5O_info_t info{}, other_info{};
    H5Oget_info(a, &info);
    H5Oget_info(b, &other_info);
    EXPECT_EQ(info.type, other_info.type) << path;
    EXPECT_EQ(info.rc, other_info.rc) << path;
    expect_equal_attributes(a, b, path);
    if (object.is_group()) {
        H5G_info_t members{}, other_members{};
        H5Gget_info(a, &members);
        H5Gget_info(b, &other_members);
        EXPECT_EQ(members.nlinks, other_members.nlinks) << path;
    } else {
        expect_equal_datasets(a, b, path);
    }
    for (std::size_t axis = 0; axis < object.scales.size(); ++axis) {
        if (!object.scales[axis].empty()) {
            const Handle scale(H5Dopen2(one, object.scales[axis].c_str(), H5P_DEFAULT), H5Dclose, "open");
            EXPECT_GT(H5DSis_attached(a, scale, static_cast<unsigned>(axis)), 0) << path << axis;
        }
    }
    if (object.is_in_root_too) {
        H5O_info_t root_info{};
        H5Oget_info_by_name(one, ("/" + object.name).c_str(), &root_info, H5P_DEFAULT);
        EXPECT_EQ(info.addr, root_info.addr) << path;
    }
    for (const auto &member : object.members) {
        expect_equal(one, other, *member);
    }
}

void write_encoded(const std::filesystem::path &path, const Object &root) {
    const auto bytes = hdf5::encode_file(root);
    ASSERT_TRUE(bytes);
    hdf5::create_file_of(path, *bytes);
}

TEST(EncodeFile, the_library_sees_what_it_writes_itself) {
    const TemporaryFolder folder;
    Object root;
    fill(root);
    write_encoded(folder / "encoded.h5", root);
    write_through_library(folder / "library.h5", root);
    const hdf5::File encoded = hdf5::open_own_file(folder / "encoded.h5");
    const hdf5::File library = hdf5::open_own_file(folder / "library.h5");
    expect_equal(encoded, library, root);
    EXPECT_EQ(hdf5::encode_file(root), hdf5::encode_file(root)) << "equal trees are equal bytes";
}

TEST(EncodeFile, the_library_adds_to_it) {
    const TemporaryFolder folder;
    Object root, more;
    fill(root);
    write_encoded(folder / "it.h5", root);
    more.group("outer").add("added", std::vector{1.0, 2.0}).scales = {"/y"};
    more.group("outer").set("later", 3.0);
    {
        hdf5::File file = hdf5::open_for_more(folder / "it.h5");
        hdf5::write_objects(file, more);
        file.close("close the file");
    }
    write_through_library(folder / "library.h5", root);
    {
        hdf5::File file = hdf5::open_for_more(folder / "library.h5");
        hdf5::write_objects(file, more);
        file.close("close the file");
    }
    const hdf5::File encoded = hdf5::open_own_file(folder / "it.h5");
    const hdf5::File library = hdf5::open_own_file(folder / "library.h5");
    expect_equal(encoded, library, root);
    expect_equal(encoded, library, more);
}

/// A heap holds 65535 at most.
TEST(EncodeFile, many_texts_go_to_several_heaps) {
    constexpr std::size_t count = 70000;
    const TemporaryFolder folder;
    Object root;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count; ++i) {
        texts.push_back(std::to_string(i * i));
    }
    root.add("texts", texts);
    write_encoded(folder / "encoded.h5", root);
    write_through_library(folder / "library.h5", root);
    const hdf5::File encoded = hdf5::open_own_file(folder / "encoded.h5");
    const hdf5::File library = hdf5::open_own_file(folder / "library.h5");
    expect_equal(encoded, library, root);
}

/// An index of three levels: a node has 64 children.
TEST(EncodeFile, values_that_the_file_has_already_are_found_at_their_places) {
    constexpr std::size_t times = 5000, planes = 3;
    constexpr std::uint64_t begin = 4096;  // of three snapshots, which the times take in turn
    const TemporaryFolder folder;
    Object root;
    Object &u = root.add("u", hdf5::FieldStorage{&doubles, {planes, 2}, {2, 2}, 0, true});
    auto &field = std::get<hdf5::FieldStorage>(u.data);
    constexpr std::size_t values_in_chunks =
        8;  // two chunks, of which the last has a plane behind the values
    for (std::size_t time = 0; time < times; ++time) {
        field.places.push_back(begin + time % 3 * values_in_chunks * sizeof(double));
    }
    Object &v = root.add("v", hdf5::FieldStorage{&doubles, {planes, 2}, {}, 0});
    std::get<hdf5::FieldStorage>(v.data).places = {begin + values_in_chunks * sizeof(double)};
    std::vector<double> values(begin / sizeof(double) + 3 * values_in_chunks);
    std::iota(values.begin(), values.end(), 0.0);
    const std::uint64_t end = values.size() * sizeof(double);
    const auto objects = hdf5::encode_objects(root, end);
    ASSERT_TRUE(objects);
    std::string bytes(reinterpret_cast<const char *>(values.data()), end);
    bytes.append(objects->bytes.begin(), objects->bytes.end());
    const auto superblock = hdf5::encode_superblock(bytes.size(), objects->root);
    std::copy(superblock.begin(), superblock.end(), bytes.begin());
    write_bytes(folder / "placed.h5", bytes);
    const hdf5::File file = hdf5::open_own_file(folder / "placed.h5");
    std::vector<double> read(times * planes * 2);
    const Handle dataset(H5Dopen2(file, "/u", H5P_DEFAULT), H5Dclose, "open");
    ASSERT_GE(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()), 0);
    for (std::size_t i = 0; i < read.size(); ++i) {
        const std::size_t time = i / (planes * 2), value = i % (planes * 2);
        ASSERT_EQ(read[i], static_cast<double>(begin / sizeof(double) + time % 3 * values_in_chunks + value))
            << i;
    }
    hsize_t chunks = 0;
    const Handle space(H5Dget_space(dataset), H5Sclose, "space");
    ASSERT_GE(H5Dget_num_chunks(dataset, space, &chunks), 0);
    EXPECT_EQ(chunks, 2 * times);
    std::vector<double> alone(planes * 2);
    const Handle contiguous(H5Dopen2(file, "/v", H5P_DEFAULT), H5Dclose, "open");
    ASSERT_GE(H5Dread(contiguous, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, alone.data()), 0);
    EXPECT_EQ(alone.front(), static_cast<double>(begin / sizeof(double) + values_in_chunks));
    EXPECT_EQ(alone.back(), alone.front() + 5);
}

TEST(EncodeFile, leaves_to_the_library_what_it_cannot_hold) {
    Object large, chunks, in_time;
    large.set("list", std::vector<double>(9000));  // 72 kB: a message has 64 KiB at most
    EXPECT_FALSE(hdf5::encode_file(large));
    hdf5::FieldStorage &field =
        std::get<hdf5::FieldStorage>(chunks.add("u", hdf5::FieldStorage{&doubles, {2, 3}, {1, 3}, 1}).data);
    encode_chunk(field);
    EXPECT_TRUE(field.encoded.empty());
    EXPECT_FALSE(hdf5::encode_file(chunks));
    in_time.add("u", hdf5::FieldStorage{&doubles, {2, 3}, {2, 3}, 0, true});
    EXPECT_FALSE(hdf5::encode_file(in_time));
}

}  // namespace
}  // namespace perdure::tests::encode_file_test
