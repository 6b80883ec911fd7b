// SPDX-License-Identifier: Apache-2.0
#include "traffic/planning/pair_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <istream>
#include <numeric>
#include <stdexcept>
#include <string_view>

#include "rtl_model/base/byte_length.h"
#include "rtl_model/base/csv_rows.h"
#include "rtl_model/base/fnv1a.h"
#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"

namespace allport {

namespace {

class CountReader {
 public:
  explicit CountReader(const std::string& name) { counts_.name = name; }

  void read(const CsvCells& cells, std::size_t line) {
    line_ = line;
    if (counts_.bytes.empty()) counts_.ranks = cells.size();
    if (cells.size() != counts_.ranks) {
      reject(fmt::format("{}, but the first line has {}", counted(cells.size(), "cell"),
                         counts_.ranks));
    }
    if (++lines_ > counts_.ranks) {
      reject(fmt::format("a line for rank {}, but the lines have {}", lines_ - 1,
                         counts_.ranks == 1
                             ? "a cell for rank 0 only"
                             : fmt::format("cells for ranks 0..{}", counts_.ranks - 1)));
    }
    for (std::size_t i = 0; i < cells.size(); ++i) counts_.bytes.push_back(bytes_in(cells[i], i));
  }

  PairCounts take() {
    const std::string place = shown_path(counts_.name);
    if (lines_ == 0) throw std::invalid_argument(place + ": there is no number in it");
    if (lines_ != counts_.ranks) {
      throw std::invalid_argument(fmt::format(
          "{}: {} of {}, but it needs one for each rank that sends, with a cell for each one that receives",
          place, counted(lines_, "line"), counted(counts_.ranks, "cell")));
    }
    if (counts_.largest() == 0) {
      throw std::invalid_argument(place +
                                  ": no rank has a byte for another one, so nothing is to be sent");
    }
    return std::move(counts_);
  }

 private:
  [[noreturn]] void reject(const std::string& why) const {
    throw std::invalid_argument(fmt::format("{}:{}: {}", shown_path(counts_.name), line_, why));
  }

  std::size_t bytes_in(std::string_view cell, std::size_t column) const {
    try {
      return parse_bytes(cell, {0, limits::bytes.high});
    } catch (const std::invalid_argument& fault) {
      reject(fmt::format("for rank {}: {}", column, fault.what()));
    }
  }

  PairCounts counts_;
  std::size_t line_ = 0;
  std::size_t lines_ = 0;  // that have cells
};

}  // namespace

std::size_t PairCounts::largest() const {
  std::size_t most = 0;
  for (std::size_t from = 0; from < ranks; ++from) {
    for (std::size_t to = 0; to < ranks; ++to) most = std::max(most, of_pair(from, to));
  }
  return most;
}

std::size_t PairCounts::total() const {
  std::size_t sum = 0;
  for (std::size_t from = 0; from < ranks; ++from) {
    for (std::size_t to = 0; to < ranks; ++to) sum += of_pair(from, to);
  }
  return sum;
}

std::string PairCounts::digest() const {
  Fnv1a hash;
  for (std::size_t from = 0; from < ranks; ++from) {
    for (std::size_t to = 0; to < ranks; ++to) {
      std::uint64_t value = of_pair(from, to);
      for (int i = 0; i < 8; ++i, value >>= 8) hash.add(static_cast<unsigned char>(value));
    }
  }
  return fmt::format("{:016x}", hash.value());
}

PairCounts read_counts(std::istream& in, const std::string& name) {
  CountReader reader(name);
  for_each_csv_row(
      name, in, [&reader](const CsvCells& cells, std::size_t line) { reader.read(cells, line); });
  if (in.bad()) {
    throw std::invalid_argument(fmt::format("the counts {} cannot be read to their end: {}",
                                            shown_path(name), std::strerror(errno)));
  }
  return reader.take();
}

PairLengths pair_lengths(const PairCounts& counts, int flit_bytes,
                         const std::vector<NodeId>& nodes_of_ranks) {
  const std::size_t ranks = counts.ranks;
  std::vector<std::size_t> rank_at(ranks);  // by place among the nodes in ascending order
  std::iota(rank_at.begin(), rank_at.end(), std::size_t{0});
  if (!nodes_of_ranks.empty()) {
    std::sort(rank_at.begin(), rank_at.end(),
              [&](std::size_t a, std::size_t b) { return nodes_of_ranks[a] < nodes_of_ranks[b]; });
  }
  const auto each = static_cast<std::size_t>(flit_bytes);
  std::vector<int> flits;
  flits.reserve(ranks * ranks);
  for (const std::size_t from : rank_at) {
    for (const std::size_t to : rank_at) {
      const std::size_t count = (counts.of_pair(from, to) + each - 1) / each;
      flits.push_back(
          static_cast<int>(std::min(count, static_cast<std::size_t>(limits::flits.high))));
    }
  }
  return std::make_shared<const std::vector<int>>(std::move(flits));
}

}  // namespace allport
