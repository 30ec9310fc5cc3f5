#include "solver/backends/host/rank_exchange.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/shares.h"

namespace perdure::host {
namespace {

/// Of messages between two ranks: to the one below or above along the last axis.
enum Tag : int { goes_down, goes_up };

}  // namespace

RankExchange::RankExchange(Ranks &ranks, const KernelCall &call, const std::vector<std::byte *> &memory,
                           const LaunchShape &shape)
    : ranks_(ranks),
      buffers_(call.buffers),
      memory_(memory),
      cell_bytes_(call.precision == Precision::float32 ? sizeof(float) : sizeof(double)),
      reach_(call.reach),
      cuts_(shape.cuts) {
    context_.index = static_cast<std::uint32_t>(ranks.index());
    context_.count = static_cast<std::uint32_t>(ranks.count());
    context_.exchange = this;
    context_.share_cells = [](rank_context_t *self) {
        static_cast<Context *>(self)->exchange->share_cells();
    };
    context_.share_rows = [](rank_context_t *self, double *values, std::uint32_t rows) {
        static_cast<Context *>(self)->exchange->share_rows(values, rows);
    };
    context_.share_least = [](rank_context_t *self, std::int64_t *words, std::uint32_t count) {
        static_cast<Context *>(self)->exchange->ranks_.least({words, count});
    };
    context_.share_single = [](rank_context_t *self, double *values, std::uint32_t count) {
        static_cast<Context *>(self)->exchange->ranks_.unite(
            {reinterpret_cast<std::uint64_t *>(values), count});
    };
}

rank_context_t *RankExchange::context(const run_parameters_t &parameters) {
    if (planes_ == 0) {
        set_planes(parameters);
    }
    const auto planes = static_cast<double>(planes_);
    context_.begin = static_cast<double>(begin_of(ranks_.index())) / planes;
    context_.end = static_cast<double>(end_of(ranks_.index())) / planes;
    context_.stop_request = 0;
    return &context_;
}

void RankExchange::set_planes(const run_parameters_t &parameters) {
    const bool solid = parameters.dimensions == 3;
    planes_ = solid ? parameters.nz : parameters.ny;
    periodic_ = (solid ? parameters.periodic_z : parameters.periodic_y) != 0;
    plane_bytes_ = parameters.cells / static_cast<std::size_t>(planes_) * cell_bytes_;
    for (const double cut : cuts_) {
        ends_.push_back(cut_of(static_cast<std::uint32_t>(planes_), cut));
    }
    ends_.push_back(planes_);
    for (std::uint32_t rank = 1; rank <= context_.count; ++rank) {
        chunk_ends_.push_back(begin_of_part(parameters.sections, rank, context_.count) *
                              parameters.section_chunks.divisor);
    }
    const std::size_t array_bytes = plane_bytes_ * static_cast<std::size_t>(planes_);
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
        if (buffers_[i].among_ranks == AmongRanks::cells) {
            for (std::size_t begin = 0; begin + array_bytes <= buffers_[i].bytes; begin += array_bytes) {
                arrays_.push_back({memory_[i] + begin, {}, {}});
            }
        }
    }
}

std::byte *RankExchange::plane(const Array &array, std::int64_t number) const {
    return array.values + static_cast<std::size_t>((number + planes_) % planes_) * plane_bytes_;
}

/// The planes at one end of the part, of those arrays in which they have changed since they were sent: a bit for each array, and then they.
void RankExchange::pack(bool down, std::vector<std::byte> &message) {
    const std::size_t bytes = static_cast<std::size_t>(reach_) * plane_bytes_;
    const std::int64_t first = down ? begin_of(ranks_.index()) : end_of(ranks_.index()) - reach_;
    message.assign(arrays_.size(), std::byte{0});
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
        std::vector<std::byte> &sent = down ? arrays_[i].sent_down : arrays_[i].sent_up;
        const std::byte *const now = plane(arrays_[i], first);
        if (sent.empty() || std::memcmp(sent.data(), now, bytes) != 0) {
            sent.assign(now, now + bytes);
            message[i] = std::byte{1};
            message.insert(message.end(), sent.begin(), sent.end());
        }
    }
}

void RankExchange::unpack(bool from_below, const std::vector<std::byte> &message) {
    const std::size_t bytes = static_cast<std::size_t>(reach_) * plane_bytes_;
    const std::int64_t first = from_below ? begin_of(ranks_.index()) - reach_ : end_of(ranks_.index());
    const std::byte *next = message.data() + arrays_.size();
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
        if (message[i] != std::byte{0}) {
            std::memcpy(plane(arrays_[i], first), next, bytes);
            next += bytes;
        }
    }
}

void RankExchange::share_cells() {
    const int own = ranks_.index(), count = ranks_.count();
    const bool has_below = own > 0 || periodic_, has_above = own + 1 < count || periodic_;
    const int below = (own + count - 1) % count, above = (own + 1) % count;
    const std::size_t most = arrays_.size() * (1 + static_cast<std::size_t>(reach_) * plane_bytes_);
    std::vector<Ranks::Piece> sent, received;
    if (has_below) {
        pack(true, down_);
        sent.push_back({below, goes_down, down_.data(), down_.size(), most});
        from_below_.resize(most);
        received.push_back({below, goes_up, from_below_.data(), 0, most});
    }
    if (has_above) {
        pack(false, up_);
        sent.push_back({above, goes_up, up_.data(), up_.size(), most});
        from_above_.resize(most);
        received.push_back({above, goes_down, from_above_.data(), 0, most});
    }
    ranks_.exchange(sent, received);
    if (has_below) {
        unpack(true, from_below_);
    }
    if (has_above) {
        unpack(false, from_above_);
    }
}

/// The part of each rank, row after row, stands behind that of the rank before it.
void RankExchange::share_rows(double *values, std::size_t rows) {
    const std::size_t columns = chunk_ends_.back();
    std::vector<std::size_t> ends;
    for (const std::size_t end : chunk_ends_) {
        ends.push_back(rows * end * sizeof(double));
    }
    std::vector<double> packed(rows * columns);
    const auto for_each_part = [&](int rank, const auto &use) {
        const std::size_t begin = rank == 0 ? 0 : chunk_ends_[static_cast<std::size_t>(rank) - 1];
        const std::size_t width = chunk_ends_[static_cast<std::size_t>(rank)] - begin;
        for (std::size_t row = 0; row < rows; ++row) {
            use(values + row * columns + begin, packed.data() + rows * begin + row * width, width);
        }
    };
    for_each_part(ranks_.index(), [](double *of, double *in_message, std::size_t width) {
        std::copy_n(of, width, in_message);
    });
    ranks_.gather(reinterpret_cast<std::byte *>(packed.data()), ends);
    for (int rank = 0; rank < ranks_.count(); ++rank) {
        for_each_part(rank, [](double *of, double *in_message, std::size_t width) {
            std::copy_n(in_message, width, of);
        });
    }
}

void RankExchange::complete(std::size_t buffer, std::size_t offset, std::size_t bytes) {
    std::byte *const values = memory_[buffer];
    if (buffers_[buffer].among_ranks == AmongRanks::single) {
        ranks_.unite({reinterpret_cast<std::uint64_t *>(values + offset), bytes / sizeof(std::uint64_t)});
    }
    for (const Array &array : arrays_) {
        const bool is_asked = array.values >= values + offset && array.values < values + offset + bytes;
        if (buffers_[buffer].among_ranks == AmongRanks::cells && is_asked) {
            std::vector<std::size_t> ends;
            for (const std::int64_t end : ends_) {
                ends.push_back(static_cast<std::size_t>(end) * plane_bytes_);
            }
            ranks_.gather(array.values, ends);
        }
    }
}

}  // namespace perdure::host
