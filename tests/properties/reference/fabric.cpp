// SPDX-License-Identifier: Apache-2.0
// The oracle is a second opinion on docs/router.md and docs/timing.md. It shares no code with the
// models that it judges, and has nothing of what makes them fast: nothing sleeps, and everybody is
// called in every cycle (run). First the processors act: they take what is on their ejection
// channels, start what follows from it, and put flits on their injection channels. Then the routers
// act, each in the order of the contract: flits and credits come in, heads are routed, virtual
// channels are allocated, then the switch, and flits that all branches have taken leave their
// buffers.
//
// In which order the routers act does not matter, because whatever one gives to another goes over a
// wire (flit_wires_, credit_wires_, ack_wires_, kept at the receiving end) and arrives in a later
// cycle. Processors come before them because an injection channel is no wire: its flit is in the
// buffer in the cycle in which it is sent. A unicast has its whole path from the start
// (routing.cpp), where the models decide at each node; only an adaptive head chooses on its way,
// and one that follows a table looks it up at each router (tables.cpp). All routers of a graph have
// as many ports as the largest: an index that never asks changes nothing at an arbiter. All
// contributions to a join fly as one message, for which one contribution speaks in each
// router; what the root of a join-tree sends back is another message of the same name.
//
// The hard part is what a sentence of the contract leaves to the reader: in which cycle a thing can
// first be seen. A virtual channel that a tail gives up, and a pointer that a winner moves, count
// from the next cycle on, because allocation comes before traversal. A credit counts one wire
// later, at a processor one cycle later still. A flit that is held has arrived, but neither
// requests nor loses anything. The end is as delicate: nothing has changed in this cycle, and
// nothing is due that could change anything later, so whatever is put on a wire or set for later
// must say so (expect_change). A run that ends with flits in buffers is a deadlock; in any other
// one all credits must be home (check_conservation).
#include "tests/properties/reference/fabric.h"

#include <cstdio>
#include <sstream>

#include "tests/properties/reference/graphs.h"
#include "tests/properties/reference/machine.h"
#include "tests/properties/reference/walk.h"

namespace allport::reference {

namespace {

/// The VCs of a message class where nothing is said of them.
int usual_vcs(const Config& config, const Shape& shape, const Table& table) {
  if (table.is_there) return table.layers;
  return shape.wraps || config.is_adaptive ? 2 : 1;
}

/// The internal ports for which a router has places.
int most_ports(const Config& config, const Shape& shape) {
  int most = config.ports > 0 ? config.ports : shape.ports;
  for (const int own : shape.internal_ports_of) most = std::max(most, own);
  return most;
}

Shape shape_of(const Config& config) {
  if (config.topology == "graph") return graph_shape(config);
  Shape shape = parse_shape(config.topology);
  add_link_attributes(shape, config);
  return shape;
}

}  // namespace

Fabric::Fabric(const Config& config)
    : config_(config),
      shape_(shape_of(config)),
      table_(read_table(config.table, shape_)),
      tree_(breadth_first_tree(shape_, config.tree)),
      own_vcs_(config.vcs > 0 ? config.vcs : config.classes * usual_vcs(config, shape_, table_)),
      class_vcs_(own_vcs_ / std::max(config.classes, 1)),
      layer_vcs_(class_vcs_ / layers_among(table_, std::max(class_vcs_, 1))),
      vcs_(own_vcs_ + config.join_vcs),
      ports_(most_ports(config, shape_)),
      history_{config_, shape_} {
  require(ports_ <= shape_.ports, "more internal than external ports");
  require(config.flits >= 1 && config.buffer_depth >= 1, "flits and buffer_depth are at least 1");
  require(config.classes >= 1 && own_vcs_ % config.classes == 0,
          "the VCs cannot be shared out to the message classes");
  require(config.classes == 1 || config.join_vcs == 0, "several message classes: no VCs of joins");
  require(config.reception_limit == 0 || config.reception_limit >= config.buffer_depth,
          "a reception limit is 0 (none) or at least buffer_depth");
  require(table_.is_there || !shape_.wraps || class_vcs_ == 1 || class_vcs_ % 2 == 0,
          "an odd number of VCs on a ring or torus");
  require(!shape_.is_graph || table_.is_there, "a graph needs a table");
  require(!table_.is_there || (!config.is_balanced && !config.is_adaptive && !config.explains &&
                               (config.join_vcs == 0 || tree_.is_there)),
          "a table: neither balanced nor adaptive, VCs of joins with a tree only, and no accounts");
  require(!tree_.is_there || table_.layers == 1, "a table with a tree has one layer");
  for (const int delay : {config.route_delay, config.vc_delay, config.crossbar_delay}) {
    require(delay >= 0 && delay <= 4, "a delay of a pipeline is 0 .. 4");
  }
  require(!is_for_whole_messages() || config.flits <= config.buffer_depth,
          "a buffer cannot hold a message");
  require(!config.is_adaptive || (shape_.is_hypercube && class_vcs_ > 1),
          "adaptive: hypercube, V >= 2");
  Router router;
  router.input_vcs.resize(index_of(width(), 0));
  router.output_vcs.resize(index_of(width(), 0));
  for (OutputVc& output_vc : router.output_vcs) output_vc.credits = config.buffer_depth;
  router.input_pointers.resize(width());
  router.output_pointers.resize(width());
  router.free_from.resize(width());
  router.last_sent.resize(width(), none);
  routers_.assign(shape_.routers, router);
  Processor processor;
  processor.injection.resize(ports_);
  InjectionQueue queue;
  queue.credits = config.buffer_depth;
  for (InjectionPort& port : processor.injection) port.classes.assign(config.classes, queue);
  processor.ejection.assign(ports_, std::vector<EjectionQueue>(config.classes));
  for (int node = 0; node < shape_.nodes; ++node) {
    processor.jitter_source.state = (config.seed * 1000003 + config.trial) * 1000003 + node;
    processor.pattern_source.state = (config.seed * 1000003 + (1 << 20)) * 1000003 + node;
    SplitMix64 start_source{(config.seed * 1000003 + (1 << 20) + 1 + config.trial) * 1000003 +
                            node};
    processor.start =
        static_cast<Cycle>(start_source.next() % (static_cast<std::uint64_t>(config.skew) + 1));
    processor.prepared_until = processor.start;
    processors_.push_back(processor);
  }
  flit_wires_.resize(wire(shape_.routers, 0));
  links_.resize(wire(shape_.routers, 0));
  for (int node = 0; node < shape_.routers; ++node) {
    for (int port = 0; port < shape_.ports; ++port) {
      if (neighbour(shape_, node, port) == none) continue;
      const End to = end_of(shape_, node, port);
      ErringLink& link = links_[wire(to.node, to.port)];
      link.node = node;
      link.port = port;
      link.length = 2 * phits_of(config, shape_, node, port) +
                    2 * link_delay_of(config, shape_, node, port) + config.crossbar_delay;
    }
  }
  credit_wires_.resize(wire(shape_.routers, 0));
  ack_wires_.resize(wire(shape_.routers, 0));
}

std::vector<Hop> Fabric::route_between(const Line& line) const {
  if (table_.is_there) return table_path(shape_, table_, line.u, line.v);
  if (line.kind == Kind::label) return label_path(shape_, line.u, line.v, line.first_dimension);
  const bool has_classes = shape_.wraps && class_vcs_ > 1;
  return shape_.is_hypercube ? hypercube_path(shape_, config_.is_ascending, line.u, line.v)
                             : dimension_ordered_path(shape_, has_classes, line);
}

std::vector<Hop> Fabric::tree_hops_at(int node, const Message& message) const {
  const bool has_classes = shape_.wraps && class_vcs_ > 1;
  std::vector<Hop> hops = tree_.is_there ? hops_along(shape_, tree_, message.name.u, node)
                                         : tree_hops(shape_, has_classes, config_.is_ascending,
                                                     message.name.u, node, message.free);
  for (Hop& hop : hops) {
    if (config_.join_vcs > 0) hop.vc_class = VcClass::tree;
  }
  return hops;
}

/// All contributions to a join fly as one message; the root's own names it. What the root of a
/// join-tree sends back is another one of the same name.
void Fabric::add_to_join(const Line& line, Message& contribution) {
  require(config_.mode != Mode::store_and_forward && !config_.explains, "joins: not explained");
  require(config_.classes == 1, "joins: one message class");
  const auto [place, is_new] = joins_.try_emplace({line.v, line.free, line.tag, line.kind},
                                                  static_cast<int>(messages_.size()));
  if (is_new) {
    Message join = contribution;
    join.root = line.v;
    join.flies_as = join.named_as = place->second;
    messages_.push_back(join);
    if (line.kind == Kind::join_tree) {
      messages_[place->second].returns_as = static_cast<int>(messages_.size());
      Message tree = join;
      tree.kind = Kind::tree;
      messages_.push_back(tree);
    }
  }
  contribution.flies_as = contribution.named_as = place->second;
  if (line.u != line.v) return;
  const int last = line.kind == Kind::join_tree ? place->second + 1 : place->second;
  for (int id = place->second; id <= last; ++id) {
    messages_[id].name = {line.v, line.v, line.order};
    messages_[id].take_after = line.take_after;
  }
}

/// Must be called in the order of each node's programs, because it draws the message's J.
int Fabric::add_message(const Line& line, int collective) {
  require(line.u >= 0 && line.u < shape_.nodes, "u is no node");
  Message message;
  const bool is_to_all = line.kind == Kind::tree || line.kind == Kind::path;
  message.name = {line.u, is_to_all ? no_node : line.v, line.order};
  message.kind = line.kind;
  message.collective = collective;
  message.flits = (line.flits > 0 ? line.flits : config_.flits) + line.list;
  require(line.message_class >= 0 && line.message_class < config_.classes, "no message class");
  message.message_class = line.message_class;
  message.at = line.at;
  require(config_.reception_limit == 0 || message.flits <= config_.reception_limit,
          "a message is longer than the reception limit");
  require(line.take_after >= 0, "take_after is negative");
  require(config_.reception_limit > 0 || line.take_after == 0,
          "take_after needs a reception limit");
  message.take_after = line.take_after;
  message.free = line.free;
  const bool is_for_unicasts = config_.mode == Mode::circuit || config_.is_adaptive;
  require(line.kind == Kind::unicast || !is_for_unicasts, "circuit or adaptive: unicasts only");
  const bool follows_tables = line.kind == Kind::unicast || line.kind == Kind::deposit;
  const bool follows_tree =
      line.kind == Kind::tree || line.kind == Kind::join || line.kind == Kind::join_tree;
  require(!table_.is_there || follows_tables || (follows_tree && tree_.is_there),
          "a table: unicasts and deposits, and with a tree trees and joins");
  require(!tree_.is_there || line.free == 0, "a table with a tree: of all nodes");
  if (is_to_all) {
    require(shape_.is_hypercube || line.kind == Kind::tree, "a path worm needs a hypercube");
    if (line.kind == Kind::path) message.path = gray_path(shape_, line.u);
  } else if (line.kind == Kind::join || line.kind == Kind::join_tree) {
    add_to_join(line, message);
  } else {
    require(line.v >= 0 && line.v < shape_.nodes && line.v != line.u, "v is no other node");
    Line leg = line;
    for (const int stop : line.via) {
      leg.v = stop;
      for (const Hop& hop : route_between(leg)) message.path.push_back(hop);
      message.stops.insert(static_cast<int>(message.path.size()));
      leg.u = stop;
      leg.first_dimension = none;
    }
    leg.v = line.v;
    for (const Hop& hop : route_between(leg)) message.path.push_back(hop);
    if (config_.is_balanced) balance(shape_, message.path);
  }
  const auto range = static_cast<std::uint64_t>(config_.jitter) + 1;
  message.jitter = static_cast<Cycle>(processors_[line.u].jitter_source.next() % range);
  const int number = static_cast<int>(messages_.size());
  if (message.flies_as == none) message.flies_as = message.named_as = number;
  messages_.push_back(message);
  return number;
}

void Fabric::load_program(const Collective& collective, int index) {
  std::vector<Line> lines = collective.lines;
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.order < b.order; });
  std::set<int>& missing = missing_[index];
  for (const Line& line : lines) {
    const int message = add_message(line, index);
    processors_[line.u].programs[index].push_back(message);
    if (line.kind == Kind::join || line.kind == Kind::join_tree) continue;
    if (line.kind == Kind::tree || line.kind == Kind::path) {
      for (int node = 0; node < shape_.nodes; ++node) {
        if (node != line.u) missing.insert(node);
      }
      continue;
    }
    missing.insert(line.v);
    missing.insert(line.via.begin(), line.via.end());
    for (const Hop& hop : messages_[message].path) {
      if (line.kind == Kind::deposit && hop.node != line.u) missing.insert(hop.node);
    }
  }
  for (const int source : collective.sources) missing.erase(source);
}

void Fabric::load(const std::vector<Collective>& collectives) {
  collectives_ = collectives;
  starts_.assign(collectives.size(), config_.has_barrier ? none : 0);
  if (!starts_.empty()) starts_[0] = 0;
  missing_.resize(collectives.size());
  results_.latency.resize(collectives.size());
  for (Processor& processor : processors_) {
    processor.programs.resize(collectives.size());
    processor.has_collective.resize(collectives.size());
  }
  for (int i = 0; i < static_cast<int>(collectives.size()); ++i) load_program(collectives[i], i);
}

void Fabric::load(const UniformPattern& pattern) {
  pattern_ = pattern;
  expect_change(pattern.cycles);
}

void Fabric::load(const ClosedLoop& loop) {
  loop_ = loop;
  expect_change(0);
}

/// The external channels that lead `message` from its sender to `output` of `node`, where it takes
/// this output for the first time.
std::vector<std::pair<int, int>> Fabric::way_to(int node, int output,
                                                const Message& message) const {
  const bool is_copy = output >= shape_.ports;
  std::vector<Hop> hops = config_.is_adaptive ? message.gone : message.path;
  if (message.kind == Kind::tree && tree_.is_there) {
    hops = way_along(tree_, message.name.u, node);
  } else if (message.kind == Kind::tree) {
    hops = shape_.is_hypercube ? hypercube_path(shape_, config_.is_ascending, message.name.u, node)
                               : dimension_ordered_path(shape_, false, {message.name.u, node});
  }
  std::vector<std::pair<int, int>> way;
  for (const Hop& hop : hops) {
    const bool takes_it =
        config_.is_adaptive ? hop.node == node : hop.node == node && hop.port == output;
    if (takes_it) break;
    way.emplace_back(hop.node, hop.port);
    const bool has_come = neighbour(shape_, hop.node, hop.port) == node;
    const bool is_stop = message.stops.empty() || message.stops.count(static_cast<int>(way.size()));
    if (is_copy && has_come && is_stop) break;
  }
  return way;
}

void Fabric::lose_cycle(int node, int output, int waiting, int holding) {
  if (waiting == holding) return;
  const Message& kept = messages_[waiting];
  const Message& keeper = messages_[holding];
  const bool is_join = kept.root != none || keeper.root != none;  // it has many senders
  const bool is_one_queue = !is_join && kept.name.u == keeper.name.u &&
                            kept.message_class == keeper.message_class &&
                            way_to(node, output, kept) == way_to(node, output, keeper);
  if (is_one_queue) return;
  const bool is_reception = output >= shape_.ports;
  const int port = is_reception ? output - shape_.ports : output;
  LostCycles& lost = lost_cycles_[{is_reception, node, port, waiting, holding}];
  if (lost.count++ == 0) lost.first = now_;
}

Results Fabric::run() {
  for (bool is_quiescent = false; !is_quiescent; ++now_) {
    has_changed_ = false;
    if (config_.explains) history_.cycles.emplace_back();
    for (int node = 0; node < shape_.nodes; ++node) eject(node);
    start_collectives();
    for (int node = 0; node < shape_.nodes; ++node) {
      generate(node);
      for (int i = 0; now_ == 0 && i < loop_.outstanding; ++i) make_request(node);
      send_pending(node);
      make_room(node);
      inject(node);
    }
    for (int node = 0; node < shape_.routers; ++node) {
      accept(node);
      route(node);
      look_for_operands(node);
      allocate_vcs(node);
      allocate_switch(node);
      release(node);
    }
    is_quiescent = !has_changed_ && now_ >= latest_timer_;
  }
  return collect();
}

/// The most cycles that the phits of a flit and the delays of a channel, there and back, take.
Cycle Fabric::longest_round() const {
  Cycle longest = 0;
  for (int node = 0; node < shape_.routers; ++node) {
    for (int port = 0; port < shape_.ports; ++port) {
      if (neighbour(shape_, node, port) == none) continue;
      longest = std::max(longest, phits_of(config_, shape_, node, port) +
                                      2 * link_delay_of(config_, shape_, node, port));
    }
  }
  return longest;
}

/// The largest D; 0: channels repeat nothing.
Cycle Fabric::longest_replay() const {
  Cycle longest = 0;
  for (const ErringLink& link : links_) longest = std::max(longest, link.length);
  return config_.has_retry ? longest : 0;
}

/// Checks that without a deadlock everything is at the end as it was after reset.
void Fabric::check_conservation() const {
  for (const Router& router : routers_) {
    for (const OutputVc& output_vc : router.output_vcs) {
      promise(output_vc.owner == none, "a VC is not free in the end");
      promise(output_vc.credits == config_.buffer_depth, "a credit is missing in the end");
    }
  }
  for (const Processor& processor : processors_) {
    for (const InjectionPort& port : processor.injection) {
      for (const InjectionQueue& queue : port.classes) {
        promise(queue.queue.empty(), "a message is not injected");
        promise(queue.credits == config_.buffer_depth, "an injection credit is missing in the end");
      }
    }
    for (const auto& classes : processor.ejection) {
      for (const EjectionQueue& queue : classes) {
        promise(queue.message == none, "a tail is not ejected");
        promise(queue.owed == 0, "an ejection credit is missing in the end");
        promise(queue.flits == 0, "a message is not taken in the end");
      }
    }
  }
}

Results Fabric::collect() {
  std::set<int> stuck;
  for (const Router& router : routers_) {
    for (const InputVc& input_vc : router.input_vcs) {
      for (const Flit& flit : input_vc.buffer) stuck.insert(messages_[flit.message].named_as);
    }
  }
  results_.is_deadlocked = !stuck.empty();
  if (results_.is_deadlocked) {
    results_.deadlock_cycle = last_movement_ + longest_round() + 1 + config_.replication_delay +
                              config_.combine_delay + config_.route_delay + config_.vc_delay +
                              config_.crossbar_delay + 2 * longest_replay();
    for (const Processor& processor : processors_) {
      for (const InjectionPort& port : processor.injection) {
        for (const InjectionQueue& queue : port.classes) {
          for (const int message : queue.queue) stuck.insert(messages_[message].named_as);
        }
      }
    }
  }
  for (const int message : stuck) results_.stuck.push_back(messages_[message].name);
  if (!results_.is_deadlocked) check_conservation();
  for (const auto& [key, lost] : lost_cycles_) {
    const auto [is_reception, node, port, waiting, holding] = key;
    ContentionEvent event{lost.first, lost.count, node, port, {}, {}};
    event.waiting = messages_[waiting].name;
    event.holding = messages_[holding].name;
    (is_reception ? results_.reception : results_.contention).push_back(event);
  }
  std::sort(results_.stuck.begin(), results_.stuck.end());
  std::sort(results_.contention.begin(), results_.contention.end());
  std::sort(results_.reception.begin(), results_.reception.end());
  std::sort(results_.deliveries.begin(), results_.deliveries.end());
  std::sort(results_.crossed.begin(), results_.crossed.end());
  results_.digest = digest_of_trials({results_});
  if (config_.explains) results_.accounts = accounts_of(history_);
  return results_;
}

Results simulate(const Config& config, const std::vector<Collective>& collectives) {
  Fabric fabric(config);
  fabric.load(collectives);
  return fabric.run();
}

Results simulate(const Config& config, const UniformPattern& pattern) {
  Fabric fabric(config);
  fabric.load(pattern);
  return fabric.run();
}

Results simulate(const Config& config, const ClosedLoop& loop) {
  Fabric fabric(config);
  fabric.load(loop);
  return fabric.run();
}

std::string digest_of_trials(const std::vector<Results>& trials) {
  std::ostringstream text;
  for (const Results& trial : trials) {
    for (const Delivery& delivery : trial.deliveries) {
      text << delivery.source << ' ' << delivery.destination << ' ' << delivery.message << ' '
           << delivery.head << ' ' << delivery.tail << '\n';
    }
  }
  std::uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a
  for (const char letter : text.str()) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3u;
  }
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

}  // namespace allport::reference
