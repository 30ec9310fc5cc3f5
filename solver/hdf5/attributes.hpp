// Attributes of HDF5 objects: numbers and UTF-8 text, written and read back.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "solver/hdf5/hdf5.hpp"

namespace perdure::hdf5 {

/// Write a new attribute; text has variable length (no limit at 64 KiB). All throw Error.
void write_attribute(hid_t object, const char *name, const std::string &text);
void write_attribute(hid_t object, const char *name, const char *text);
void write_attribute(hid_t object, const char *name, double number);
void write_attribute(hid_t object, const char *name, std::int64_t number);
void write_attribute(hid_t object, const char *name, const std::vector<double> &numbers);
void write_attribute(hid_t object, const char *name, const std::vector<float> &numbers);
void write_attribute(hid_t object, const char *name, const std::vector<std::int64_t> &numbers);
void write_attribute(hid_t object, const char *name, const std::vector<std::string> &texts);

/// Text of fixed length without terminator, as VTK wants its Type.
void write_ascii_attribute(hid_t object, const char *name, const std::string &text);

/// Text of `size` bytes without terminator.
Handle ascii_text_type(std::size_t size);

/// Text of any length in UTF-8; memory and file alike.
Handle variable_text_type();

/// What a list of that type is written from; valid as long as `texts` stay as they are.
std::vector<const char *> variable_texts(const std::vector<std::string> &texts);

/// All attributes of numbers and text as a JSON object: scalars, or arrays (one element included) of them.
/// Attributes of other types and of more than 10000 elements are left out. Throws Error.
nlohmann::ordered_json read_attributes(hid_t object);

}  // namespace perdure::hdf5
