// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/picture/trial_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rtl_model/base/words.h"
#include "rtl_model/graphs/node_ports.h"
#include "rtl_model/topology/channel_words.h"
#include "testbench/observe/explain/patience.h"
#include "testbench/observe/monitors/contention_monitor.h"
#include "testbench/show/picture/channel_picture.h"
#include "testbench/show/picture/fabric_picture.h"
#include "testbench/show/picture/folded_fabric.h"
#include "testbench/show/picture/packed_table.h"

namespace allport {

namespace {

class TrialPicture {
 public:
  TrialPicture(const ShownTrial& trial, const Topology& topology,
               const std::vector<PathMessage>& path, const PictureSize& size, StopFlag stop)
      : trial_(trial),
        topology_(topology),
        size_(size),
        stop_(stop),
        fabric_(topology, trial.explained.history.channels(), most_drawn_cells(topology)),
        in_channels_(trial, fabric_, size, Patience(stop)) {
    for (const PathMessage& one : path) {
      path_.emplace(one.account.source, one.account.destination, one.account.order);
    }
  }

  Json take() {
    look_at_messages();
    Json json = in_channels_.take();
    json["fabric"] = fabric_picture(topology_, fabric_);
    put_ports(json["fabric"]);
    json["cycles"] = trial_.end;
    for (const Cause cause : causes()) {
      json["causes"].push_back(to_string(cause));
      json["meanings"].push_back(row_of(cause).meaning);
    }
    put_messages(json);
    json["names"] = std::move(names_);
    json["node_names"] = std::move(node_names_);
    json["shown"] = shown_.size();
    json["receptions"] = trial_.receptions.size();
    if (!slowest_.is_null()) json["slowest"] = std::move(slowest_);
    json["unexplained"] = unexplained_;
    json["moments"] = moments_json();
    json["channels"] = channels_json();
    return json;
  }

 private:
  // Successive cycles of a message with one cause; -1: no line, nobody is blamed.
  struct Stretch {
    Cause cause{};
    Cycle cycles = 0;
    std::int64_t line = -1;
    int port = -1;  // of an injection channel
    std::int64_t blamed = -1;
  };
  struct Shown {
    MessageId message = no_message;
    NodeId sender{};                       // of a join: whose contribution was waited for
    const Reception* reception = nullptr;  // null: it was under way at the end
    std::vector<Stretch> stretches;
    std::int64_t toward = -1;  // of a branch under way: the line that it lacks, or got to
  };

  const MessageRecord& record(const Reception& one) const { return trial_.log[one.message]; }

  // After an interrupt, of a join what its record says.
  Cycle created_of(const Reception& one) const try {
    Patience::heed();
    return trial_.explained.created_of(one, trial_.log);
  } catch (const Stopped&) {
    return record(one).created;
  }

  // The messages of the critical path first, then the slowest ones.
  std::vector<const Reception*> in_order() {
    std::vector<std::tuple<bool, Cycle, const Reception*>> order;
    order.reserve(trial_.receptions.size());
    for (const Reception& one : trial_.receptions) {
      const MessageRecord& sent = record(one);
      const bool is_other = path_.count({sent.source, one.receiver, sent.order}) == 0;
      const Cycle created = created_of(one);
      order.emplace_back(is_other, created - one.has, &one);
      if (slowest_.is_null() || slowest_["cycles"] < one.has - created) {
        slowest_ = {{"cycles", one.has - created},
                    {"name", name_in_words({sent.source, one.receiver, sent.order}, topology_)}};
      }
    }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
      return std::pair(std::get<0>(a), std::get<1>(a)) < std::pair(std::get<0>(b), std::get<1>(b));
    });
    std::vector<const Reception*> list;
    list.reserve(order.size());
    for (const auto& one : order) list.push_back(std::get<const Reception*>(one));
    return list;
  }

  // An interrupt leaves the quicker ones out.
  void look_at_messages() {
    std::size_t stretches = 0;
    const Patience patience(stop_);
    for (const Reception* one : in_order()) {
      if (!look_at(*one, stretches)) ++unexplained_;
    }
    look_at_unfinished(stretches);
  }

  // False: an interrupt left no time.
  bool look_at(const Reception& one, std::size_t& stretches) try {
    Patience::heed();
    const Waits::List& waits = trial_.explained.explain(one);
    in_channels_.add(waits, fabric_.cell_of(trial_.explained.walk.sender()),
                     fabric_.cell_of(one.receiver));
    const bool is_of_path = path_.count({record(one).source, one.receiver, record(one).order}) != 0;
    if (stretches >= size_.message_stretches && !is_of_path) return true;
    shown_.push_back(
        Shown{one.message, trial_.explained.walk.sender(), &one, message_stretches(waits), -1});
    stretches += shown_.back().stretches.size();
    return true;
  } catch (const Stopped&) {
    return false;
  }

  void look_at_unfinished(std::size_t stretches) try {
    const Patience patience(stop_);
    visit_under_way(
        trial_.explained, trial_.end, [&](CrossingIndex last, int output, const auto& waits) {
          in_channels_.add(waits, fabric_.cell_of(trial_.explained.walk.sender()), {});
          if (stretches >= size_.message_stretches) return;
          const FabricChannels& channels = trial_.explained.history.channels();
          const FabricChannels::Number at = trial_.explained.history[last].channel;
          const FabricChannels::Number toward =
              output < 0 ? at : channels.output(channels.receiver(at).node, output, 0);
          shown_.push_back({trial_.explained.history[last].message, trial_.explained.walk.sender(),
                            nullptr, message_stretches(waits),
                            static_cast<std::int64_t>(fabric_.line_of(toward))});
          stretches += shown_.back().stretches.size();
        });
  } catch (const Stopped&) {
  }

  // The first cycles first; where a message moves, or is prepared, the place is left out.
  std::vector<Stretch> message_stretches(const Waits::List& repeated) {
    const Waits::List waits = Waits::put_together(trial_.explained.walk.one_by_one(repeated));
    std::vector<Stretch> list;
    for (auto wait = waits.rbegin(); wait != waits.rend(); ++wait) {
      const bool waits_here = is_waiting(wait->cause);
      const std::int64_t line =
          waits_here ? static_cast<std::int64_t>(fabric_.line_of(wait->place)) : -1;
      const int port = waits_here ? fabric_.injection_port_of(wait->place) : -1;
      const std::int64_t blamed = wait->blamed == no_message ? -1 : name_of(wait->blamed);
      const bool goes_on = !list.empty() && list.back().cause == wait->cause &&
                           list.back().line == line && list.back().port == port &&
                           list.back().blamed == blamed;
      if (goes_on) {
        list.back().cycles += wait->cycles;
      } else if (wait->cycles > 0) {
        list.push_back({wait->cause, wait->cycles, line, port, blamed});
      }
    }
    return list;
  }

  std::int64_t name_of(MessageId message) {
    const auto [known, is_new] = name_numbers_.try_emplace(message, names_.size());
    if (is_new) names_.push_back(name_in_words(message_name(trial_.log[message]), topology_));
    return static_cast<std::int64_t>(known->second);
  }

  // What a graph calls a node of a message, by its number.
  void add_node_name(NodeId node) {
    if (!topology_.is_graph()) return;
    node_names_[std::to_string(topology_.number_of(node))] = topology_.node_name(node);
  }

  void put_messages(Json& json) {
    std::unordered_map<const Reception*, std::int64_t> places;
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      if (shown_[i].reception != nullptr) {
        places.emplace(shown_[i].reception, static_cast<std::int64_t>(i));
      }
    }
    PackedTable messages(
        {"name+", "source", "receiver", "created+", "after", "toward", "stretches"});
    PackedTable stretches({"cause", "cycles", "line", "port", "blamed"});
    for (const Shown& one : shown_) {
      const Reception* before = trial_.dependencies == nullptr
                                    ? nullptr
                                    : trial_.dependencies->before(one.message, one.sender);
      const auto place = places.find(before);
      const MessageRecord& sent = trial_.log.sent(one.message, one.sender);
      const std::int64_t receiver =
          one.reception == nullptr
              ? -1
              : static_cast<std::int64_t>(topology_.number_of(one.reception->receiver));
      add_node_name(sent.source);
      if (one.reception != nullptr) add_node_name(one.reception->receiver);
      messages.add({name_of(one.message),
                    static_cast<std::int64_t>(topology_.number_of(sent.source)), receiver,
                    sent.created, place == places.end() ? -1 : place->second, one.toward,
                    static_cast<std::int64_t>(one.stretches.size())});
      for (const Stretch& part : one.stretches) {
        stretches.add(
            {static_cast<int>(part.cause), part.cycles, part.line, part.port, part.blamed});
      }
    }
    json["messages"] = messages.take();
    json["message_stretches"] = stretches.take();
  }

  // `channel 5 -> 6 (+x)`, or `4 channels from the block of node 0 to that of node 8`
  std::string line_in_words(std::size_t line) const {
    const FoldedFabric::Line& one = fabric_.lines()[line];
    const auto name = [this](std::size_t cell) {
      return topology_.node_name(fabric_.first_nodes()[cell]);
    };
    if (fabric_.cells() < topology_.router_count()) {
      return fmt::format("{} from the block of node {} to that of node {}",
                         counted(one.channels, "channel"), name(one.from), name(one.to));
    }
    return output_in_words(topology_, {fabric_.first_nodes()[one.from], port_id(one.port)});
  }

  // For the tables of the page: what all channels do over time ..
  Json moments_json() const {
    const auto all = static_cast<double>(in_channels_.external_channels());
    Json list = Json::array();
    for (const ChannelPicture::Moment& one : in_channels_.moments()) {
      const auto cycles = static_cast<double>(one.cycles);
      const auto of_all = [&](Cycle part) {
        return all > 0 ? static_cast<double>(part) / cycles / all : 0.0;
      };
      const auto& lines = fabric_.lines();
      const double channels = lines.empty() ? 1 : static_cast<double>(lines[one.busiest].channels);
      const double busiest = static_cast<double>(one.busiest_used) / cycles / channels;
      list.push_back({{"from", one.from},
                      {"to", one.from + one.cycles - 1},
                      {"busiest", busiest > 0 ? line_in_words(one.busiest) : std::string("none")},
                      {"busiest_used", busiest},
                      {"used", of_all(one.used)},
                      {"blocked", of_all(one.blocked)},
                      {"shared", of_all(one.shared)}});
    }
    return list;
  }

  // .. and what each does in the whole trial, the most used ones first.
  Json channels_json() const {
    const std::vector<ChannelPicture::LineUse> uses = in_channels_.whole();
    std::vector<std::size_t> order;
    for (std::size_t line = 0; line < fabric_.lines().size(); ++line) {
      if (!uses[line].is_idle()) order.push_back(line);
    }
    const auto share = [&](std::size_t line) {
      const auto channels = static_cast<double>(fabric_.lines()[line].channels);
      return static_cast<double>(uses[line].cycles[0]) / channels;
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return share(a) > share(b); });
    const auto is_less = [&](std::size_t line) { return share(line) < share(order.front()); };
    const auto alike = std::find_if(order.begin(), order.end(), is_less) - order.begin();
    Json json{{"busy", order.size()}, {"alike", alike}, {"rows", Json::array()}};
    if (order.size() > size_.table_rows) order.resize(size_.table_rows);
    for (const std::size_t line : order) {
      const ChannelPicture::LineUse& use = uses[line];
      const FoldedFabric::Line& one = fabric_.lines()[line];
      json["rows"].push_back(
          {{"channel", line_in_words(line)},
           {"address",
            fmt::format("{}.{}", topology_.number_of(fabric_.first_nodes()[one.from]), one.port)},
           {"share", share(line) / static_cast<double>(trial_.end)},
           {"used", use.cycles[0]},
           {"lost", use.cycles[1]},
           {"no_credit", use.cycles[2]},
           {"empty", use.cycles[3]},
           {"flits", use.flits},
           {"most", use.most_waiting}});
    }
    return json;
  }

  // Injection channels of each cell, which has as many ejection channels, and of each internal
  // port.
  void put_ports(Json& json) const {
    std::vector<int> ports(fabric_.cells(), 0);
    const int all = trial_.explained.history.config().internal_ports;
    std::vector<int> injections(static_cast<std::size_t>(all), 0);
    for (std::size_t i = 0; i < topology_.node_count(); ++i) {
      const int of_node = internal_ports_of(topology_, node_id(i), all);
      ports[fabric_.cell_of(node_id(i))] += of_node;
      for (int port = 0; port < of_node; ++port) ++injections[static_cast<std::size_t>(port)];
    }
    json["ports"] = std::move(ports);
    json["injections"] = std::move(injections);
  }

  const ShownTrial& trial_;
  const Topology& topology_;
  const PictureSize& size_;
  const StopFlag stop_;
  const FoldedFabric fabric_;
  ChannelPicture in_channels_;
  std::set<std::tuple<NodeId, NodeId, int>> path_;
  std::vector<Shown> shown_;
  std::size_t unexplained_ = 0;  // receptions that an interrupt left out
  std::unordered_map<MessageId, std::size_t> name_numbers_;
  Json slowest_;  // the received message of the largest latency
  Json names_ = Json::array();
  Json node_names_ = Json::object();
};

}  // namespace

Json trial_picture(const ShownTrial& trial, const Topology& topology,
                   const std::vector<PathMessage>& path, const PictureSize& size, StopFlag stop) {
  return TrialPicture(trial, topology, path, size, stop).take();
}

}  // namespace allport
