// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/chakra_links.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "rtl_model/base/quote.h"

namespace allport {

namespace {

struct Link {
  std::uint64_t id = 0;  // of what is waited for
  std::uint32_t on = 0;  // its place
  bool is_control = false;
};
using Links = std::vector<std::vector<Link>>;  // by place

// Finds the parts of a graph within which everything waits for everything [Tarjan's walk].
class Parts {
 public:
  explicit Parts(const Links& links) : links_(links), visits_(links.size()) {
    for (std::uint32_t i = 0; i < links.size(); ++i) {
      if (visits_[i].number == 0) walk(i);
    }
  }
  // Whether `a` waits for `b`, directly, within a circle.
  bool has_circle(std::uint32_t a, std::uint32_t b) const {
    return visits_[a].part == visits_[b].part;
  }

 private:
  struct Visit {
    std::uint32_t number = 0;  // in the order of the walk, from 1; 0: not yet
    std::uint32_t lowest = 0;  // that it leads back to
    std::uint32_t part = 0;    // 0: open
    std::size_t next = 0;      // of its links
  };

  void enter(std::uint32_t node) {
    visits_[node].number = visits_[node].lowest = ++numbers_;
    way_.push_back(node);
    open_.push_back(node);
  }

  void walk(std::uint32_t first) {
    enter(first);
    while (!way_.empty()) {
      const std::uint32_t node = way_.back();
      Visit& visit = visits_[node];
      if (visit.next < links_[node].size()) {
        const std::uint32_t on = links_[node][visit.next++].on;
        if (visits_[on].number == 0) {
          enter(on);
        } else if (visits_[on].part == 0) {
          visit.lowest = std::min(visit.lowest, visits_[on].number);
        }
        continue;
      }
      way_.pop_back();
      if (!way_.empty()) {
        std::uint32_t& lowest = visits_[way_.back()].lowest;
        lowest = std::min(lowest, visit.lowest);
      }
      if (visit.lowest == visit.number) close(node);
    }
  }

  void close(std::uint32_t node) {
    ++parts_;
    for (std::uint32_t one = node + 1; one != node;) {
      one = open_.back();
      open_.pop_back();
      visits_[one].part = parts_;
    }
  }

  const Links& links_;
  std::vector<Visit> visits_;
  std::vector<std::uint32_t> way_;
  std::vector<std::uint32_t> open_;
  std::uint32_t numbers_ = 0;
  std::uint32_t parts_ = 0;
};

class Linker {
 public:
  Linker(const TraceFile& file, const std::vector<ChakraNode>& nodes)
      : file_(file), nodes_(nodes), links_(nodes.size()) {
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      if (!place_of_.emplace(nodes[i].second.id(), i).second) {
        reject(nodes[i], "another node has this id");
      }
    }
  }

  ChakraLinks link() {
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      for (const std::uint64_t id : nodes_[i].second.data_after()) add(i, id, false);
      for (const std::uint64_t id : nodes_[i].second.control_after()) add(i, id, true);
      keep_one_of_each(links_[i]);
    }
    const Parts parts(links_);
    for (std::uint32_t i = 0; i < links_.size(); ++i) {
      for (const Link& one : links_[i]) {
        if (one.is_control && parts.has_circle(i, one.on)) {
          ++kept_.left_out;
        } else {
          kept_.waits.emplace_back(i, one.on);
        }
      }
    }
    return std::move(kept_);
  }

 private:
  [[noreturn]] void reject(const ChakraNode& node, const std::string& why) const {
    throw std::invalid_argument(chakra_place(file_, node) + why);
  }

  void add(std::uint32_t node, std::uint64_t id, bool is_control) {
    const auto found = place_of_.find(id);
    if (found != place_of_.end()) {
      links_[node].push_back({id, found->second, is_control});
    } else if (is_control) {
      ++kept_.left_out;
    } else {
      reject(nodes_[node],
             "it needs data of the id " + std::to_string(id) + ", which no node of the file has");
    }
  }

  // By id; data where it is both.
  static void keep_one_of_each(std::vector<Link>& links) {
    std::stable_sort(links.begin(), links.end(),
                     [](const Link& a, const Link& b) { return a.id < b.id; });
    links.erase(std::unique(links.begin(), links.end(),
                            [](const Link& a, const Link& b) { return a.id == b.id; }),
                links.end());
  }

  const TraceFile& file_;
  const std::vector<ChakraNode>& nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> place_of_;  // by id
  Links links_;
  ChakraLinks kept_;
};

}  // namespace

ChakraLinks link_chakra(const TraceFile& file, const std::vector<ChakraNode>& nodes) {
  return Linker(file, nodes).link();
}

}  // namespace allport
