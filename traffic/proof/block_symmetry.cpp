// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/block_symmetry.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "rtl_model/base/stop_flag.h"

namespace allport {

namespace {

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

// Largest number of entries in a table of differences.
constexpr std::size_t most_differences = std::size_t{1} << 24;

std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9U;
  value = (value ^ value >> 27) * 0x94d049bb133111ebU;
  return value ^ value >> 31;
}

// Where a node is, seen from another one: the same number for all pairs that a shift leads from
// one to another, below the number of nodes.
class Bits {
 public:
  std::uint32_t code(NodeId node) const { return static_cast<std::uint32_t>(index(node)); }
  std::uint32_t between(std::uint32_t node, std::uint32_t from) const { return node ^ from; }
};

// The same along sides. A node's code has a digit for each coordinate, with room for the difference
// of two, so that the difference of two codes tells those of all coordinates.
class Sides {
 public:
  using Coordinate = std::function<int(NodeId, std::size_t)>;

  Sides(const std::vector<int>& sides, std::size_t nodes, const Coordinate& coordinate) {
    std::size_t span = 1;
    std::vector<std::size_t> strides;
    for (const int side : sides) {
      strides.push_back(span);
      zero_ += static_cast<std::uint32_t>(span) * static_cast<std::uint32_t>(side - 1);
      span *= 2 * static_cast<std::size_t>(side) - 1;
    }
    for (std::size_t node = 0; node < nodes; ++node) {
      std::size_t code = 0;
      for (std::size_t i = 0; i < sides.size(); ++i) {
        code += strides[i] * static_cast<std::size_t>(coordinate(node_id(node), i));
      }
      codes_.push_back(static_cast<std::uint32_t>(code));
    }
    differences_.resize(span);
    for (std::size_t i = 0; i < span; ++i) {
      std::size_t rest = i;
      std::size_t width = 1;
      for (const int side : sides) {
        const auto length = static_cast<std::size_t>(side);
        const std::size_t digit = rest % (2 * length - 1);
        rest /= 2 * length - 1;
        differences_[i] += static_cast<std::uint32_t>(width * ((digit + 1) % length));
        width *= length;
      }
    }
  }

  // How many entries the table has.
  static std::size_t size(const std::vector<int>& sides) {
    std::size_t span = 1;
    for (const int side : sides) {
      span = std::min(span, most_differences) * (2 * static_cast<std::size_t>(side) - 1);
    }
    return span;
  }

  std::uint32_t code(NodeId node) const { return codes_[index(node)]; }
  std::uint32_t between(std::uint32_t node, std::uint32_t from) const {
    return differences_[node + zero_ - from];
  }

 private:
  std::uint32_t zero_ = 0;                  // the place of no difference
  std::vector<std::uint32_t> codes_;        // by node
  std::vector<std::uint32_t> differences_;  // by the difference of two codes
};

// What only a whole check can judge: worms of other kinds, lines that are faulty or carry a block
// that is empty, and two messages of a step from one node to another.
bool is_plain(const Schedule& schedule, const Collective& collective) {
  std::vector<bool> is_empty;
  for (std::size_t i = 0; collective.has_empty_blocks() && i < collective.block_count(); ++i) {
    is_empty.push_back(collective.is_empty(static_cast<BlockId>(i)));
  }
  const std::size_t nodes = collective.node_count();
  const std::size_t count = collective.block_count();
  const auto are_sound = [&](const OneOrMore<BlockId>& blocks) {
    std::size_t next = 0;
    for (const BlockId block : blocks) {
      if (block < next || block >= count || (!is_empty.empty() && is_empty[block])) return false;
      next = std::size_t{block} + 1;
    }
    return true;
  };
  std::unordered_set<const BlockId*> known;  // lists that several messages share, which are sound
  const auto is_sound = [&](const Unicast& one) {
    heed_stop();
    if (one.kind != MessageKind::unicast || !one.via.empty() || one.blocks.empty()) return false;
    if (index(one.u) >= nodes || index(one.v) >= nodes) return false;
    if (one.adds && !collective.is_reduction()) return false;
    const bool is_known = one.blocks.is_shared() && !known.insert(one.blocks.begin()).second;
    return is_known || are_sound(one.blocks);
  };
  const std::vector<Unicast>& all = schedule.unicasts;
  if (!std::all_of(all.begin(), all.end(), is_sound)) return false;
  std::vector<NodeId> receivers;
  for (std::size_t begin = 0; begin < all.size();) {
    receivers.clear();
    std::size_t end = begin;
    for (; end < all.size() && all[end].step == all[begin].step && all[end].u == all[begin].u;
         ++end) {
      receivers.push_back(all[end].v);
    }
    std::sort(receivers.begin(), receivers.end());
    if (std::adjacent_find(receivers.begin(), receivers.end()) != receivers.end()) return false;
    // The messages of a sender in a step lie together.
    const bool is_sorted = end == all.size() || std::tie(all[begin].step, all[begin].u) <
                                                    std::tie(all[end].step, all[end].u);
    if (!is_sorted) return false;
    begin = end;
  }
  return true;
}

template <class Places>
class Search {
 public:
  Search(const Schedule& schedule, const Collective& collective, const Places& places)
      : schedule_(schedule),
        collective_(collective),
        places_(places),
        blocks_of_node_(collective.block_count() / collective.node_count()) {}

  std::optional<AlikeBlocks> find(NodeShift shift) {
    if (!sort_out()) return std::nullopt;
    list_ways();
    if (!list_rows() || !all_go_alike()) return std::nullopt;
    return AlikeBlocks{shift, std::move(chosen_), std::move(ways_)};
  }

 private:
  // A transfer of a chosen block, in places seen from the node of that block.
  struct Transfer {
    std::uint32_t kind;
    StepIndex step;
    std::uint32_t from;
    std::uint32_t to;
    bool adds;
  };
  struct Row {  // the transfers of a kind in a step
    StepIndex step;
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t dense;  // where first_ has the first transfer by `from`; nowhere: they are few
  };

  NodeId owner(BlockId block) const { return node_id(block / blocks_of_node_); }
  std::uint32_t from_owner(NodeId node, BlockId block) const {
    return places_.between(places_.code(node), places_.code(owner(block)));
  }

  // Kinds of blocks that may be alike: those which their node sends and receives alike. The first
  // block of each is chosen.
  bool sort_out() {
    std::vector<std::uint64_t> marks(collective_.block_count());
    const auto mark = [&](const Unicast& one, NodeId node, NodeId other, std::uint64_t role) {
      const auto first = static_cast<BlockId>(index(node) * blocks_of_node_);
      const BlockId* block = std::lower_bound(one.blocks.begin(), one.blocks.end(), first);
      for (; block != one.blocks.end() && *block - first < blocks_of_node_; ++block) {
        const std::uint64_t place = from_owner(other, *block);
        const auto step = static_cast<std::uint64_t>(one.step);
        marks[*block] += mixed(mixed(step << 2 | role << 1 | (one.adds ? 1 : 0)) + place);
      }
    };
    for (const Unicast& one : schedule_.unicasts) {
      heed_stop();
      mark(one, one.u, one.v, 0);
      mark(one, one.v, one.u, 1);
    }
    using Key = std::pair<std::uint64_t, std::uint32_t>;
    struct Hash {
      std::size_t operator()(const Key& key) const { return key.first ^ mixed(key.second); }
    };
    std::unordered_map<Key, std::uint32_t, Hash> kinds;
    kinds_.assign(collective_.block_count(), nowhere);
    codes_.resize(collective_.block_count());
    std::size_t full = 0;
    for (BlockId block = 0; block < kinds_.size(); ++block) {
      if (collective_.is_empty(block)) continue;
      ++full;
      codes_[block] = places_.code(owner(block));
      const Key key{marks[block], from_owner(collective_.ends_of(block).to, block)};
      const auto [kind, is_new] =
          kinds.try_emplace(key, static_cast<std::uint32_t>(chosen_.size()));
      kinds_[block] = kind->second;
      if (is_new) chosen_.push_back(block);
      if (2 * chosen_.size() > collective_.block_count()) return false;
    }
    return 2 * chosen_.size() <= full;
  }

  bool is_chosen(BlockId block) const { return chosen_[kinds_[block]] == block; }

  void list_ways() {
    std::vector<BlockId> carried;
    for (const Unicast& one : schedule_.unicasts) {
      heed_stop();
      carried.clear();
      if (8 * chosen_.size() < one.blocks.size()) {
        for (const BlockId block : chosen_) {
          if (std::binary_search(one.blocks.begin(), one.blocks.end(), block)) {
            carried.push_back(block);
          }
        }
      } else {
        std::copy_if(one.blocks.begin(), one.blocks.end(), std::back_inserter(carried),
                     [this](BlockId block) { return is_chosen(block); });
      }
      if (carried.empty()) continue;
      for (const BlockId block : carried) {
        transfers_.push_back({kinds_[block], one.step, from_owner(one.u, block),
                              from_owner(one.v, block), one.adds});
      }
      Unicast way = one;
      way.blocks = carried;
      ways_.unicasts.push_back(std::move(way));
    }
  }

  // Whether nothing depends on the order of the messages of a step: where a node receives a block
  // twice in a step, it adds both.
  bool list_rows() {
    const auto place = [](const Transfer& one) {
      return std::tie(one.kind, one.step, one.from, one.to);
    };
    std::sort(transfers_.begin(), transfers_.end(),
              [&](const Transfer& a, const Transfer& b) { return place(a) < place(b); });
    rows_of_.assign(chosen_.size() + 1, 0);
    std::vector<std::pair<std::uint32_t, bool>> receptions;
    for (std::uint32_t begin = 0; begin < transfers_.size();) {
      const Transfer& first = transfers_[begin];
      Row row{first.step, begin, begin, nowhere};
      receptions.clear();
      for (; row.end < transfers_.size(); ++row.end) {
        const Transfer& one = transfers_[row.end];
        if (one.kind != first.kind || one.step != first.step) break;
        receptions.emplace_back(one.to, one.adds);
      }
      std::sort(receptions.begin(), receptions.end());
      for (std::size_t i = 1; i < receptions.size(); ++i) {
        const bool is_twice = receptions[i].first == receptions[i - 1].first;
        if (is_twice && !(receptions[i].second && receptions[i - 1].second)) return false;
      }
      const bool has_many = std::size_t{row.end - begin} * 64 >= collective_.node_count();
      if (has_many && first_.size() + collective_.node_count() < nowhere) index_row(row);
      rows_.push_back(row);
      ++rows_of_[first.kind + 1];
      begin = row.end;
    }
    for (std::size_t kind = 0; kind < chosen_.size(); ++kind) rows_of_[kind + 1] += rows_of_[kind];
    return true;
  }

  void index_row(Row& row) {
    row.dense = static_cast<std::uint32_t>(first_.size());
    first_.resize(first_.size() + collective_.node_count(), nowhere);
    for (std::uint32_t i = row.end; i-- > row.begin;) first_[row.dense + transfers_[i].from] = i;
  }

  const Row* row_of(std::uint32_t kind, StepIndex step) const {
    const auto end = rows_.begin() + rows_of_[kind + 1];
    const auto row = std::lower_bound(rows_.begin() + rows_of_[kind], end, step,
                                      [](const Row& one, StepIndex at) { return one.step < at; });
    return row != end && row->step == step ? &*row : nullptr;
  }

  bool has(const Row& row, std::uint32_t from, std::uint32_t to, bool adds) const {
    std::uint32_t i = row.end;
    if (row.dense != nowhere) {
      i = std::min(i, first_[row.dense + from]);
    } else {
      const auto begin = transfers_.begin() + row.begin;
      const auto found =
          std::lower_bound(begin, transfers_.begin() + row.end, from,
                           [](const Transfer& one, std::uint32_t node) { return one.from < node; });
      i = static_cast<std::uint32_t>(found - transfers_.begin());
    }
    for (; i < row.end && transfers_[i].from == from; ++i) {
      if (transfers_[i].to == to) return transfers_[i].adds == adds;
    }
    return false;
  }

  // Whether each transfer of a block is one of its kind. No block has one twice, so it has all of
  // them if it has as many.
  bool all_go_alike() const {
    std::vector<std::uint32_t> counts(kinds_.size());
    for (const Unicast& one : schedule_.unicasts) {
      heed_stop();
      const std::uint32_t from = places_.code(one.u);
      const std::uint32_t to = places_.code(one.v);
      std::uint32_t kind = nowhere;
      const Row* row = nullptr;
      for (const BlockId block : one.blocks) {
        if (kinds_[block] != kind) {
          kind = kinds_[block];
          row = row_of(kind, one.step);
          if (row == nullptr) return false;
        }
        const std::uint32_t at = codes_[block];
        if (!has(*row, places_.between(from, at), places_.between(to, at), one.adds)) return false;
        ++counts[block];
      }
    }
    for (BlockId block = 0; block < kinds_.size(); ++block) {
      if (kinds_[block] != nowhere && counts[block] != counts[chosen_[kinds_[block]]]) return false;
    }
    return true;
  }

  const Schedule& schedule_;
  const Collective& collective_;
  const Places& places_;
  const std::size_t blocks_of_node_;
  std::vector<std::uint32_t> kinds_;  // by block; nowhere: it is empty
  std::vector<std::uint32_t> codes_;  // by block: that of its node
  std::vector<BlockId> chosen_;       // by kind, ascending
  Schedule ways_;
  std::vector<Transfer> transfers_;     // by kind, step, from, to
  std::vector<Row> rows_;               // by kind, step
  std::vector<std::uint32_t> rows_of_;  // the first row of each kind
  std::vector<std::uint32_t> first_;    // first transfers of rows that have many
};

}  // namespace

std::size_t carried_blocks(const Schedule& schedule) {
  std::size_t count = 0;
  for (const Unicast& one : schedule.unicasts) count += one.blocks.size();
  return count;
}

std::optional<AlikeBlocks> find_alike_blocks(const Schedule& schedule, const Collective& collective,
                                             const Topology& topology) {
  if (!collective.has_alike_nodes() || !is_plain(schedule, collective)) return std::nullopt;
  const std::size_t nodes = collective.node_count();
  const std::vector<int>& sides = topology.sides();
  std::size_t of_sides = 1;
  for (const int side : sides) of_sides *= static_cast<std::size_t>(side);
  const bool has_sides = of_sides == nodes && topology.kind() != TopologyKind::hypercube &&
                         Sides::size(sides) <= most_differences;
  std::optional<AlikeBlocks> found;
  if (has_sides) {
    const Sides places(sides, nodes, [&](NodeId node, std::size_t dimension) {
      return topology.coordinate(node, dimension);
    });
    found = Search<Sides>(schedule, collective, places).find(NodeShift::coordinates);
  }
  if (!found && (nodes & (nodes - 1)) == 0) {
    found = Search<Bits>(schedule, collective, Bits()).find(NodeShift::bits);
  }
  if (!found && sides.size() != 1) {
    const Sides places({static_cast<int>(nodes)}, nodes,
                       [](NodeId node, std::size_t) { return static_cast<int>(index(node)); });
    found = Search<Sides>(schedule, collective, places).find(NodeShift::numbers);
  }
  return found;
}

}  // namespace allport
