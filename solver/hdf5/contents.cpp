#include "solver/hdf5/contents.hpp"

#include <algorithm>

#include "solver/hdf5/encode_chunk.hpp"
#include "solver/time_spent.hpp"

namespace perdure::hdf5 {
namespace {

Object &new_member(Object &parent, const std::string &name) {
    parent.members.push_back(std::make_unique<Object>());
    Object &member = *parent.members.back();
    member.name = name;
    member.path = parent.path + '/' + name;
    return member;
}

}  // namespace

void encode_chunk(FieldStorage &field) {
    if (field.level == 0 || field.in_time || field.chunk != field.extent) {
        return;
    }
    const TimeSpent::Scope compressing(Activity::compress);
    std::visit(
        [&](const auto &numbers) {
            ChunkEncoder(field.level, sizeof numbers[0])
                .encode({reinterpret_cast<const unsigned char *>(numbers.data()),
                         numbers.size() * sizeof numbers[0]},
                        field.encoded);
        },
        *field.values);
}

Object &Object::group(const std::string &member) {
    const auto found = std::ranges::find(members, member, [](const auto &one) { return one->name; });
    return found != members.end() ? **found : new_member(*this, member);
}

Object &Object::add(const std::string &member, Values values) {
    Object &added = new_member(*this, member);
    added.data = std::move(values);
    return added;
}

Object &Object::add(const std::string &member, FieldStorage field) {
    Object &added = new_member(*this, member);
    added.data = std::move(field);
    return added;
}

}  // namespace perdure::hdf5
