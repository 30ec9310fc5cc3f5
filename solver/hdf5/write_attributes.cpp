#include "solver/hdf5/attributes.hpp"

namespace perdure::hdf5 {
namespace {

Handle list_space(std::size_t count) {
    const hsize_t extent = count;
    return {H5Screate_simple(1, &extent, nullptr), H5Sclose, "describe an attribute"};
}

/// The same for all attributes: a file has a hundred of them. The library closes it at the end of the process.
hid_t scalar_space() {
    static const hid_t space = check(H5Screate(H5S_SCALAR), "describe an attribute");
    return space;
}

Handle text_type(std::size_t size, H5T_cset_t characters) {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "describe text");
    check(H5Tset_size(type, size), "describe text");
    check(H5Tset_cset(type, characters), "describe text");
    return type;
}

hid_t any_text() {
    static const Handle &type = *new Handle(variable_text_type());
    return type;
}

void write(hid_t object, const char *name, hid_t file_type, hid_t memory_type, hid_t space,
           const void *data) {
    const std::string action = std::string("write the attribute ") + name;
    Handle attribute(H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, action);
    check(H5Awrite(attribute, memory_type, data), action);
    attribute.close(action);
}

}  // namespace

Handle variable_text_type() {
    return text_type(H5T_VARIABLE, H5T_CSET_UTF8);
}

std::vector<const char *> variable_texts(const std::vector<std::string> &texts) {
    std::vector<const char *> pointers;
    pointers.reserve(texts.size());
    for (const std::string &text : texts) {
        pointers.push_back(text.c_str());
    }
    return pointers;
}

void write_attribute(hid_t object, const char *name, const std::string &text) {
    const char *pointer = text.c_str();
    write(object, name, any_text(), any_text(), scalar_space(), &pointer);
}

void write_attribute(hid_t object, const char *name, const char *text) {
    write_attribute(object, name, std::string(text));
}

void write_attribute(hid_t object, const char *name, double number) {
    write(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, scalar_space(), &number);
}

void write_attribute(hid_t object, const char *name, std::int64_t number) {
    write(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, scalar_space(), &number);
}

void write_attribute(hid_t object, const char *name, const std::vector<double> &numbers) {
    write(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, list_space(numbers.size()), numbers.data());
}

void write_attribute(hid_t object, const char *name, const std::vector<float> &numbers) {
    write(object, name, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, list_space(numbers.size()), numbers.data());
}

void write_attribute(hid_t object, const char *name, const std::vector<std::int64_t> &numbers) {
    write(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, list_space(numbers.size()), numbers.data());
}

void write_attribute(hid_t object, const char *name, const std::vector<std::string> &texts) {
    const std::vector<const char *> pointers = variable_texts(texts);
    write(object, name, any_text(), any_text(), list_space(texts.size()), pointers.data());
}

Handle ascii_text_type(std::size_t size) {
    Handle type = text_type(size, H5T_CSET_ASCII);
    check(H5Tset_strpad(type, H5T_STR_NULLPAD), "describe text");
    return type;
}

void write_ascii_attribute(hid_t object, const char *name, const std::string &text) {
    const Handle type = ascii_text_type(text.size());
    write(object, name, type, type, scalar_space(), text.data());
}

}  // namespace perdure::hdf5
