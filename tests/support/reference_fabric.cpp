// SPDX-License-Identifier: Apache-2.0
#include "reference_fabric.h"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <set>
#include <sstream>
#include <stdexcept>

namespace allport::reference {

namespace {

constexpr int none = -1;

void require(bool holds, const std::string& sentence) {
  if (!holds) throw std::invalid_argument(sentence);
}

void promise(bool holds, const std::string& sentence) {
  if (!holds) throw std::logic_error(sentence);
}

struct SplitMix64 {
  std::uint64_t state = 0;
  std::uint64_t next() {
    std::uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
};

// ---- Topology and routing ----

/// `plain` is h or l (the lower half of the VCs), `wrapping` is p (the upper half).
enum class VcClass { any, plain, wrapping };

struct Hop {
  int node;
  int port;
  VcClass vc_class;
};

struct Shape {
  bool is_hypercube = false;
  bool wraps = false;
  std::vector<int> sides;
  int nodes = 1;
  int ports = 0;  // external
};

Shape parse_shape(const std::string& text) {
  const auto colon = text.find(':');
  const std::string name = text.substr(0, colon);
  Shape shape;
  shape.is_hypercube = name == "hypercube";
  shape.wraps = name == "torus" || name == "ring";
  require(shape.is_hypercube || shape.wraps || name == "mesh", "unknown topology '" + text + "'");
  require(colon != std::string::npos, "topology '" + text + "' has no size");
  std::istringstream numbers(text.substr(colon + 1));
  for (std::string number; std::getline(numbers, number, 'x');) {
    shape.sides.push_back(std::stoi(number));
  }
  require(!shape.sides.empty(), "topology '" + text + "' has no size");
  if (shape.is_hypercube) shape.sides = std::vector<int>(shape.sides[0], 2);
  for (const int side : shape.sides) {
    require(side >= 2, "topology '" + text + "' has a side below 2");
    shape.nodes *= side;
  }
  shape.ports = static_cast<int>(shape.sides.size()) * (shape.is_hypercube ? 1 : 2);
  return shape;
}

int stride(const Shape& shape, int dimension) {
  int product = 1;
  for (int i = 0; i < dimension; ++i) product *= shape.sides[i];
  return product;
}

int coordinate(const Shape& shape, int node, int dimension) {
  return node / stride(shape, dimension) % shape.sides[dimension];
}

/// The node that output `port` of `node` leads to, or none at the edge of a mesh.
int neighbour(const Shape& shape, int node, int port) {
  if (shape.is_hypercube) return node ^ (1 << port);
  const int side = shape.sides[port / 2];
  const int here = coordinate(shape, node, port / 2);
  const int there = here + (port % 2 == 0 ? 1 : -1);
  if (!shape.wraps && (there < 0 || there >= side)) return none;
  return node + ((there + side) % side - here) * stride(shape, port / 2);
}

/// What leaves by + arrives on -; on a hypercube both ends of a link have the same number.
int far_port(const Shape& shape, int port) { return shape.is_hypercube ? port : port ^ 1; }

std::vector<Hop> hypercube_path(const Shape& shape, bool is_ascending, int u, int v) {
  std::vector<Hop> path;
  for (int i = 0; i < shape.ports; ++i) {
    const int port = is_ascending ? i : shape.ports - 1 - i;
    if (((u ^ v) >> port & 1) == 0) continue;
    path.push_back({u, port, VcClass::any});
    u ^= 1 << port;
  }
  return path;
}

std::vector<int> minimal_displacement(const Shape& shape, int u, int v) {
  std::vector<int> displacement;
  for (int i = 0; i < static_cast<int>(shape.sides.size()); ++i) {
    const int offset = coordinate(shape, v, i) - coordinate(shape, u, i);
    const int up = (offset + shape.sides[i]) % shape.sides[i];
    const int shorter = 2 * up <= shape.sides[i] ? up : up - shape.sides[i];
    displacement.push_back(shape.wraps ? shorter : offset);
  }
  return displacement;
}

std::vector<Hop> dimension_ordered_path(const Shape& shape, bool has_classes, const Line& line) {
  const std::vector<int> displacement =
      line.displacement.empty() ? minimal_displacement(shape, line.u, line.v) : line.displacement;
  require(displacement.size() == shape.sides.size(), "a displacement has a number per dimension");
  std::vector<Hop> path;
  int node = line.u;
  for (int i = 0; i < static_cast<int>(shape.sides.size()); ++i) {
    for (int rest = displacement[i]; rest != 0; rest += rest > 0 ? -1 : 1) {
      const int end = coordinate(shape, node, i) + rest;
      const bool will_wrap = end < 0 || end >= shape.sides[i];
      const VcClass vc_class = will_wrap ? VcClass::wrapping : VcClass::plain;
      const int port = rest > 0 ? 2 * i : 2 * i + 1;
      path.push_back({node, port, has_classes ? vc_class : VcClass::any});
      node = neighbour(shape, node, port);
      require(node != none, "a displacement leaves the mesh");
    }
  }
  require(node == line.v, "a displacement does not lead to v");
  return path;
}

/// The Hamiltonian path from `source`: it visits source xor i xor (i >> 1) for i = 0, 1, ..
std::vector<Hop> gray_path(const Shape& shape, int source) {
  std::vector<Hop> path;
  for (int i = 0; i + 1 < shape.nodes; ++i) {
    const int here = source ^ i ^ (i >> 1);
    const int next = source ^ (i + 1) ^ ((i + 1) >> 1);
    int port = 0;
    while ((here ^ next) != 1 << port) ++port;
    path.push_back({here, port, VcClass::any});
  }
  return path;
}

/// The external outputs of a tree worm: below the last one bit (ascending: above the highest).
std::vector<int> tree_outputs(const Shape& shape, bool is_ascending, int source, int node) {
  const int relative = source ^ node;
  std::vector<int> outputs;
  for (int port = 0; port < shape.ports; ++port) {
    const int others = is_ascending ? relative >> port : relative & ((1 << (port + 1)) - 1);
    if (others == 0) outputs.push_back(port);
  }
  return outputs;
}

// ---- The state ----

struct Message {
  MessageName name;
  Kind kind = Kind::unicast;
  int collective = none;
  std::vector<Hop> path;  // empty for a tree; adaptive: only its first hop counts
  std::set<int> stops;    // multidestination: after how many hops there is a copy
  Cycle jitter = 0;
  Cycle earliest = 0;  // of the head on the injection channel
};

struct Flit {
  int message;
  int sequence;  // 0: head
  int hops;      // external channels behind it
  Cycle arrival;
};

/// One way on of the message at the front of an input VC.
struct Branch {
  int output;
  VcClass vc_class;
  int vc = none;
  int requested_vc = none;   // in this cycle
  bool is_taken = false;     // by the flit at the front
  bool is_eligible = false;  // in this cycle: not taken, has its VC and a credit
};

struct InputVc {
  std::deque<Flit> buffer;
  std::vector<Branch> branches;  // of the message at the front, until its tail leaves
  int request_pointer = 0;
};

struct OutputVc {
  int owner = none;  // message
  int credits = 0;
  int grant_pointer = 0;
};

struct Router {
  std::vector<InputVc> input_vcs;
  std::vector<OutputVc> output_vcs;
  std::vector<int> input_pointers;   // (2a): a VC
  std::vector<int> output_pointers;  // (2b): an input
};

struct FlitOnWire {
  Cycle arrival;
  int vc;
  Flit flit;
};

struct CreditOnWire {
  Cycle arrival;
  int vc;
};

struct InjectionPort {
  std::deque<int> queue;  // messages, in program order
  int sent = 0;           // flits of the first
  int credits = 0;
  std::deque<Cycle> returning = {};  // when each of the other credits may be used
  bool awaits_ack = false;           // of a circuit
  Cycle acknowledged = none;         // from when on the flits behind the head may follow
};

struct EjectionPort {
  Cycle head = 0;
  int message = none;  // whose tail has not come yet
  int expected = 0;    // sequence
};

struct Reception {
  Cycle cycle;  // in which tr is over
  int collective;
};

struct Processor {
  std::vector<InjectionPort> injection;
  std::vector<EjectionPort> ejection;
  std::deque<Reception> receptions;
  std::vector<std::vector<int>> programs;  // per collective: messages
  std::vector<bool> has_collective;
  Cycle prepared_until = 0;
  SplitMix64 jitter_source;
  SplitMix64 pattern_source;
  int started = 0;  // messages of the pattern
};

struct LostCycles {
  Cycle first = 0;
  Cycle count = 0;
};

// ---- The simulator ----

/// Inputs and outputs of a router are numbered alike: external ports, then internal ones. So are
/// its input and output VCs: port by port; an internal channel has a single VC.
class Fabric {
 public:
  explicit Fabric(const Config& config);
  void load(const std::vector<Collective>& collectives);
  void load(const UniformPattern& pattern);
  Results run();

 private:
  int add_message(const Line& line, int collective);
  void load_program(const Collective& collective, int index);

  // A cycle of the processors.
  void eject(int node);
  void take(int node, int port, const Flit& flit);
  void obtain(int node, int collective);
  void start_collectives();
  void generate(int node);
  void enqueue(int node, int message);
  void inject(int node);

  // A cycle of the routers.
  void accept(int node);
  void store(int node, int port, int vc, Flit flit);
  void pass_ack(int node, int output, int vc);
  void route(int node);
  void allocate_vcs(int node);
  void request_vcs(int node, InputVc& input_vc);
  void request_any_vc(int node, InputVc& input_vc);
  void grant(Router& router, int output, int vc);
  void allocate_switch(int node);
  std::vector<int> choose_vcs(Router& router) const;
  void move(int node, int input, int vc, Branch& branch);
  void release(int node);

  int width() const { return shape_.ports + ports_; }
  int vcs_of(int port) const { return port < shape_.ports ? vcs_ : 1; }
  int index_of(int port, int vc) const {
    return std::min(port, shape_.ports) * vcs_ + std::max(port - shape_.ports, 0) + vc;
  }
  int wire(int node, int port) const { return node * width() + port; }
  bool is_tail(const Flit& flit) const { return flit.sequence == config_.flits - 1; }
  bool is_in_class(const Branch& branch, int vc) const;
  bool is_ready(const InputVc& input_vc) const;
  bool is_for_whole_messages() const {
    return config_.mode == Mode::cut_through || config_.mode == Mode::store_and_forward;
  }
  bool can_move(const InputVc& input_vc, int credits) const;
  std::vector<Hop> route_between(const Line& line) const;
  std::vector<Branch> branches_of(int node, int input, const Flit& head) const;

  void expect_change(Cycle cycle) { latest_timer_ = std::max(latest_timer_, cycle); }
  void lose_cycle(int node, int output, int waiting, int holding);
  void check_conservation() const;
  Results collect();

  const Config config_;
  const Shape shape_;
  const int vcs_;
  const int ports_;  // internal

  Cycle now_ = 0;
  Cycle latest_timer_ = 0;  // after this cycle nothing changes without a cause in the cycle before
  bool has_changed_ = false;
  std::vector<Message> messages_;
  std::vector<Router> routers_;
  std::vector<Processor> processors_;
  std::vector<std::deque<FlitOnWire>> flit_wires_;      // by the input or ejection port at the end
  std::vector<std::deque<CreditOnWire>> credit_wires_;  // by the output at the end
  std::vector<std::deque<CreditOnWire>> ack_wires_;     // by the output at the end
  std::vector<Collective> collectives_;
  std::vector<Cycle> starts_;           // per collective; none: not yet known
  std::vector<std::set<int>> missing_;  // per collective: nodes that do not have it yet
  UniformPattern pattern_;
  std::map<std::tuple<bool, int, int, int, int>, LostCycles> lost_cycles_;
  Results results_;
};

Fabric::Fabric(const Config& config)
    : config_(config),
      shape_(parse_shape(config.topology)),
      vcs_(config.vcs > 0                       ? config.vcs
           : shape_.wraps || config.is_adaptive ? 2
                                                : 1),
      ports_(config.ports > 0 ? config.ports : shape_.ports) {
  require(ports_ <= shape_.ports, "more internal than external ports");
  require(config.flits >= 1 && config.buffer_depth >= 1, "flits and buffer_depth are at least 1");
  require(!shape_.wraps || vcs_ == 1 || vcs_ % 2 == 0, "an odd number of VCs on a ring or torus");
  require(!is_for_whole_messages() || config.flits <= config.buffer_depth,
          "a buffer cannot hold a message");
  require(!config.is_adaptive || (shape_.is_hypercube && vcs_ > 1), "adaptive: hypercube, V >= 2");
  Router router;
  router.input_vcs.resize(index_of(width(), 0));
  router.output_vcs.resize(index_of(width(), 0));
  for (OutputVc& output_vc : router.output_vcs) output_vc.credits = config.buffer_depth;
  router.input_pointers.resize(width());
  router.output_pointers.resize(width());
  routers_.assign(shape_.nodes, router);
  Processor processor;
  processor.injection.resize(ports_);
  processor.ejection.resize(ports_);
  for (InjectionPort& port : processor.injection) port.credits = config.buffer_depth;
  for (int node = 0; node < shape_.nodes; ++node) {
    processor.jitter_source.state = (config.seed * 1000003 + config.trial) * 1000003 + node;
    processor.pattern_source.state = (config.seed * 1000003 + (1 << 20)) * 1000003 + node;
    processors_.push_back(processor);
  }
  flit_wires_.resize(wire(shape_.nodes, 0));
  credit_wires_.resize(wire(shape_.nodes, 0));
  ack_wires_.resize(wire(shape_.nodes, 0));
}

std::vector<Hop> Fabric::route_between(const Line& line) const {
  const bool has_classes = shape_.wraps && vcs_ > 1;
  return shape_.is_hypercube ? hypercube_path(shape_, config_.is_ascending, line.u, line.v)
                             : dimension_ordered_path(shape_, has_classes, line);
}

/// Called in the order of each node's programs: it draws the message's J.
int Fabric::add_message(const Line& line, int collective) {
  require(line.u >= 0 && line.u < shape_.nodes, "u is no node");
  Message message;
  const bool is_to_all = line.kind == Kind::tree || line.kind == Kind::path;
  message.name = {line.u, is_to_all ? no_node : line.v, line.order};
  message.kind = line.kind;
  message.collective = collective;
  const bool is_for_unicasts = config_.mode == Mode::circuit || config_.is_adaptive;
  require(line.kind == Kind::unicast || !is_for_unicasts, "circuit or adaptive: unicasts only");
  if (is_to_all) {
    require(shape_.is_hypercube, "a tree or path worm needs a hypercube");
    if (line.kind == Kind::path) message.path = gray_path(shape_, line.u);
  } else {
    require(line.v >= 0 && line.v < shape_.nodes && line.v != line.u, "v is no other node");
    Line leg = line;
    for (const int stop : line.via) {
      leg.v = stop;
      for (const Hop& hop : route_between(leg)) message.path.push_back(hop);
      message.stops.insert(static_cast<int>(message.path.size()));
      leg.u = stop;
    }
    leg.v = line.v;
    for (const Hop& hop : route_between(leg)) message.path.push_back(hop);
  }
  const auto range = static_cast<std::uint64_t>(config_.jitter) + 1;
  message.jitter = static_cast<Cycle>(processors_[line.u].jitter_source.next() % range);
  messages_.push_back(message);
  return static_cast<int>(messages_.size()) - 1;
}

void Fabric::load_program(const Collective& collective, int index) {
  std::vector<Line> lines = collective.lines;
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.order < b.order; });
  std::set<int>& missing = missing_[index];
  for (const Line& line : lines) {
    const int message = add_message(line, index);
    processors_[line.u].programs[index].push_back(message);
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

// ---- A cycle of the processors ----

void Fabric::eject(int node) {
  for (int port = 0; port < ports_; ++port) {
    auto& channel = flit_wires_[wire(node, shape_.ports + port)];
    if (channel.empty() || channel.front().arrival > now_) continue;
    const Flit flit = channel.front().flit;
    const bool is_circuit_head = flit.sequence == 0 && !is_tail(flit);
    take(node, port, flit);
    channel.pop_front();
    credit_wires_[wire(node, shape_.ports + port)].push_back({now_ + 1, 0});
    expect_change(now_ + 1);
    if (config_.mode != Mode::circuit || !is_circuit_head) continue;
    ack_wires_[wire(node, shape_.ports + port)].push_back({now_ + 1, 0});
  }
  auto& receptions = processors_[node].receptions;
  while (!receptions.empty() && receptions.front().cycle == now_) {
    results_.done = now_;
    if (receptions.front().collective != none) obtain(node, receptions.front().collective);
    receptions.pop_front();
  }
}

void Fabric::take(int node, int port, const Flit& flit) {
  EjectionPort& ejection = processors_[node].ejection[port];
  if (flit.sequence == 0) {
    promise(ejection.message == none, "a head is ejected within another message");
    ejection = {now_, flit.message, 0};
  }
  promise(ejection.message == flit.message && ejection.expected == flit.sequence,
          "an ejected flit is out of order");
  ++ejection.expected;
  if (!is_tail(flit)) return;
  ejection.message = none;
  const Message& message = messages_[flit.message];
  results_.deliveries.push_back({message.name.u, node, message.name.order, ejection.head, now_});
  processors_[node].receptions.push_back({now_ + config_.tr, message.collective});
  expect_change(now_ + config_.tr);
}

/// The processor has the collective's message; the first time, it begins with its program.
void Fabric::obtain(int node, int collective) {
  Processor& processor = processors_[node];
  if (processor.has_collective[collective]) return;
  processor.has_collective[collective] = true;
  if (missing_[collective].erase(node) > 0) {
    results_.latency[collective][node] = now_ - starts_[collective];
  }
  for (const int message : processor.programs[collective]) enqueue(node, message);
}

void Fabric::start_collectives() {
  for (int i = 0; i < static_cast<int>(collectives_.size()); ++i) {
    if (starts_[i] == none || starts_[i] > now_) return;
    if (starts_[i] == now_) {
      for (const int source : collectives_[i].sources) obtain(source, i);
    }
    if (i + 1 == static_cast<int>(starts_.size()) || starts_[i + 1] != none) continue;
    if (!missing_[i].empty()) return;
    starts_[i + 1] = now_ + config_.barrier;
    expect_change(starts_[i + 1]);
  }
}

void Fabric::generate(int node) {
  if (now_ >= pattern_.cycles) return;
  Processor& processor = processors_[node];
  const double draw = static_cast<double>(processor.pattern_source.next()) / 18446744073709551616.0;
  if (draw >= pattern_.rate / config_.flits) return;
  Line line;
  line.u = node;
  line.v = static_cast<int>(processor.pattern_source.next() %
                            static_cast<std::uint64_t>(shape_.nodes - 1));
  if (line.v >= node) ++line.v;
  line.order = processor.started++;
  enqueue(node, add_message(line, none));
}

void Fabric::enqueue(int node, int index) {
  Processor& processor = processors_[node];
  Message& message = messages_[index];
  processor.prepared_until = std::max(processor.prepared_until, now_) + config_.ts;
  message.earliest = processor.prepared_until + message.jitter;
  const bool is_to_all = message.kind == Kind::tree || message.kind == Kind::path;
  const int port = is_to_all ? 0 : message.path.front().port % ports_;
  processor.injection[port].queue.push_back(index);
  expect_change(message.earliest);
}

/// A flit is on the injection channel, and in the buffer behind it, in the cycle it is sent.
void Fabric::inject(int node) {
  for (int p = 0; p < ports_; ++p) {
    InjectionPort& port = processors_[node].injection[p];
    while (!port.returning.empty() && port.returning.front() <= now_) {
      port.returning.pop_front();
      ++port.credits;
    }
    if (port.queue.empty() || port.credits == 0) continue;
    const int message = port.queue.front();
    if (port.sent == 0 && now_ < messages_[message].earliest) continue;
    if (port.sent == 0 && is_for_whole_messages() && port.credits < config_.flits) continue;
    if (port.awaits_ack) {
      if (port.acknowledged == none || now_ < port.acknowledged) continue;
      port.awaits_ack = false;
      port.acknowledged = none;
    }
    store(node, shape_.ports + p, 0, {message, port.sent, 0, now_});
    --port.credits;
    if (++port.sent == 1) port.awaits_ack = config_.mode == Mode::circuit && config_.flits > 1;
    if (port.sent < config_.flits) continue;
    port.queue.pop_front();
    port.sent = 0;
  }
}

// ---- A cycle of the routers ----

void Fabric::accept(int node) {
  for (int port = 0; port < width(); ++port) {
    auto& flits = flit_wires_[wire(node, port)];
    const bool is_external = port < shape_.ports;
    if (is_external && !flits.empty() && flits.front().arrival <= now_) {
      store(node, port, flits.front().vc, flits.front().flit);
      flits.pop_front();
    }
    auto& credits = credit_wires_[wire(node, port)];
    if (!credits.empty() && credits.front().arrival <= now_) {
      ++routers_[node].output_vcs[index_of(port, credits.front().vc)].credits;
      credits.pop_front();
    }
    auto& acks = ack_wires_[wire(node, port)];
    for (; !acks.empty() && acks.front().arrival <= now_; acks.pop_front()) {
      pass_ack(node, port, acks.front().vc);
    }
  }
}

/// An acknowledgement goes on to the input whose message holds the VC it came for.
void Fabric::pass_ack(int node, int output, int vc) {
  for (int input = 0; input < width(); ++input) {
    for (int input_vc = 0; input_vc < vcs_of(input); ++input_vc) {
      for (const Branch& branch : routers_[node].input_vcs[index_of(input, input_vc)].branches) {
        if (branch.output != output || branch.vc != vc) continue;
        if (input >= shape_.ports) {
          processors_[node].injection[input - shape_.ports].acknowledged = now_ + 2;
          expect_change(now_ + 2);
          return;
        }
        const Cycle arrival = now_ + 1 + config_.link_delay;
        const int end = wire(neighbour(shape_, node, input), far_port(shape_, input));
        ack_wires_[end].push_back({arrival, input_vc});
        expect_change(arrival);
        return;
      }
    }
  }
  promise(false, "an acknowledgement comes although nobody has the VC");
}

void Fabric::store(int node, int port, int vc, Flit flit) {
  auto& buffer = routers_[node].input_vcs[index_of(port, vc)].buffer;
  promise(static_cast<int>(buffer.size()) < config_.buffer_depth, "a buffer overflows");
  flit.arrival = now_;
  buffer.push_back(flit);
  has_changed_ = true;
  expect_change(now_ + config_.replication_delay);
}

void Fabric::route(int node) {
  for (int port = 0; port < width(); ++port) {
    for (int vc = 0; vc < vcs_of(port); ++vc) {
      InputVc& input_vc = routers_[node].input_vcs[index_of(port, vc)];
      if (input_vc.buffer.empty() || !input_vc.branches.empty()) continue;
      promise(input_vc.buffer.front().sequence == 0, "a body flit has lost its head");
      input_vc.branches = branches_of(node, port, input_vc.buffer.front());
    }
  }
}

std::vector<Branch> Fabric::branches_of(int node, int input, const Flit& head) const {
  const Message& message = messages_[head.message];
  const bool is_last = config_.is_adaptive ? node == message.name.v
                                           : head.hops == static_cast<int>(message.path.size());
  std::vector<Branch> branches;
  if (message.kind == Kind::tree) {
    for (const int port : tree_outputs(shape_, config_.is_ascending, message.name.u, node)) {
      branches.push_back({port, VcClass::any});
    }
  } else if (!is_last && config_.is_adaptive) {
    branches.push_back({none, VcClass::any});  // chosen anew in each cycle
  } else if (!is_last) {
    branches.push_back({message.path[head.hops].port, message.path[head.hops].vc_class});
  }
  const bool leaves_copy = message.kind == Kind::deposit || message.kind == Kind::tree ||
                           message.kind == Kind::path || message.stops.count(head.hops) > 0;
  const bool is_received = head.hops > 0 && (leaves_copy || is_last);
  if (is_received) branches.push_back({shape_.ports + input % ports_, VcClass::any});
  return branches;
}

/// A tree flit that goes on to external channels waits until r cycles after its arrival.
bool Fabric::is_ready(const InputVc& input_vc) const {
  if (input_vc.buffer.empty()) return false;
  const Flit& flit = input_vc.buffer.front();
  const bool is_replicated =
      messages_[flit.message].kind == Kind::tree && input_vc.branches.front().output < shape_.ports;
  return !is_replicated || now_ >= flit.arrival + config_.replication_delay;
}

bool Fabric::is_in_class(const Branch& branch, int vc) const {
  if (branch.vc_class == VcClass::any) return true;
  return (vc < vcs_ / 2) == (branch.vc_class == VcClass::plain);
}

/// Step (1): heads ask, then each free output VC gives itself to one of them.
void Fabric::allocate_vcs(int node) {
  Router& router = routers_[node];
  for (InputVc& input_vc : router.input_vcs) {
    for (Branch& branch : input_vc.branches) branch.requested_vc = none;
    if (is_ready(input_vc)) request_vcs(node, input_vc);
  }
  for (int output = 0; output < width(); ++output) {
    for (int vc = 0; vc < vcs_of(output); ++vc) grant(router, output, vc);
  }
  for (const InputVc& input_vc : router.input_vcs) {
    for (const Branch& branch : input_vc.branches) {
      if (branch.requested_vc == none || branch.vc != none) continue;
      const int winner = router.output_vcs[index_of(branch.output, branch.requested_vc)].owner;
      lose_cycle(node, branch.output, input_vc.buffer.front().message, winner);
    }
  }
}

/// Adaptive: of the dimensions that differ, from the highest down, the first with a free VC; in all
/// but the highest VC 0 does not count. Without any the head waits in the highest.
void Fabric::request_any_vc(int node, InputVc& input_vc) {
  Branch& branch = input_vc.branches.front();
  const int front = input_vc.buffer.front().message;
  const int difference = node ^ messages_[front].name.v;
  int wanted = none;
  for (int port = shape_.ports - 1; port >= 0; --port) {
    if ((difference >> port & 1) == 0) continue;
    const int lowest = wanted == none ? 0 : 1;
    if (wanted == none) wanted = port;
    for (int i = 0; i < vcs_; ++i) {
      const int vc = (input_vc.request_pointer + i) % vcs_;
      if (vc < lowest || routers_[node].output_vcs[index_of(port, vc)].owner != none) continue;
      branch.output = port;
      branch.requested_vc = vc;
      return;
    }
  }
  branch.output = wanted;
  lose_cycle(node, wanted, front,
             routers_[node].output_vcs[index_of(wanted, input_vc.request_pointer)].owner);
}

void Fabric::request_vcs(int node, InputVc& input_vc) {
  const bool has_choice = config_.is_adaptive && input_vc.branches.front().output < shape_.ports;
  if (has_choice) {
    if (input_vc.branches.front().vc == none) request_any_vc(node, input_vc);
    return;
  }
  for (Branch& branch : input_vc.branches) {
    if (branch.vc != none) continue;
    const OutputVc* output_vcs = &routers_[node].output_vcs[index_of(branch.output, 0)];
    int first = none;  // of its class
    for (int i = 0; i < vcs_of(branch.output) && branch.requested_vc == none; ++i) {
      const int vc = (input_vc.request_pointer + i) % vcs_of(branch.output);
      if (!is_in_class(branch, vc)) continue;
      if (first == none) first = vc;
      if (output_vcs[vc].owner == none) branch.requested_vc = vc;
    }
    if (branch.requested_vc != none) continue;
    lose_cycle(node, branch.output, input_vc.buffer.front().message, output_vcs[first].owner);
  }
}

void Fabric::grant(Router& router, int output, int vc) {
  OutputVc& output_vc = router.output_vcs[index_of(output, vc)];
  const int inputs = static_cast<int>(router.input_vcs.size());
  const int first = output_vc.grant_pointer;
  for (int i = 0; i < inputs && output_vc.owner == none; ++i) {
    InputVc& input_vc = router.input_vcs[(first + i) % inputs];
    for (Branch& branch : input_vc.branches) {
      if (branch.output != output || branch.requested_vc != vc) continue;
      branch.vc = vc;
      output_vc.owner = input_vc.buffer.front().message;
      output_vc.grant_pointer = (first + i + 1) % inputs;
      if (output < shape_.ports) input_vc.request_pointer = (vc + 1) % vcs_;
      has_changed_ = true;
    }
  }
}

/// Steps (2a) and (2b): each input chooses a VC, each output an input; the winners move.
void Fabric::allocate_switch(int node) {
  Router& router = routers_[node];
  const std::vector<int> chosen = choose_vcs(router);
  std::vector<int> mover(width(), none);  // per output: message
  for (int output = 0; output < width(); ++output) {
    const int first = router.output_pointers[output];
    for (int i = 0; i < width() && mover[output] == none; ++i) {
      const int input = (first + i) % width();
      if (chosen[input] == none) continue;
      InputVc& input_vc = router.input_vcs[index_of(input, chosen[input])];
      for (Branch& branch : input_vc.branches) {
        if (branch.output != output || !branch.is_eligible) continue;
        mover[output] = input_vc.buffer.front().message;
        router.output_pointers[output] = (input + 1) % width();
        move(node, input, chosen[input], branch);
      }
    }
  }
  for (const InputVc& input_vc : router.input_vcs) {
    for (const Branch& branch : input_vc.branches) {
      if (!branch.is_eligible || branch.is_taken || mover[branch.output] == none) continue;
      lose_cycle(node, branch.output, input_vc.buffer.front().message, mover[branch.output]);
    }
  }
}

std::vector<int> Fabric::choose_vcs(Router& router) const {
  std::vector<int> chosen(width(), none);
  for (int input = 0; input < width(); ++input) {
    for (int i = vcs_of(input) - 1; i >= 0; --i) {  // the last one found is the first in order
      const int vc = (router.input_pointers[input] + i) % vcs_of(input);
      InputVc& input_vc = router.input_vcs[index_of(input, vc)];
      for (Branch& branch : input_vc.branches) {
        branch.is_eligible =
            is_ready(input_vc) && !branch.is_taken && branch.vc != none &&
            can_move(input_vc, router.output_vcs[index_of(branch.output, branch.vc)].credits);
        if (branch.is_eligible) chosen[input] = vc;
      }
    }
  }
  return chosen;
}

/// What the switching mode demands of the flit at the front.
bool Fabric::can_move(const InputVc& input_vc, int credits) const {
  const bool is_head = input_vc.buffer.front().sequence == 0;
  if (!is_head || !is_for_whole_messages()) return credits > 0;
  const int waiting = static_cast<int>(input_vc.buffer.size());
  if (config_.mode == Mode::store_and_forward && waiting < config_.flits) return false;
  return credits >= config_.flits;
}

/// The flit at the front leaves by one branch: decided now, on the channel in the next cycle.
void Fabric::move(int node, int input, int vc, Branch& branch) {
  Router& router = routers_[node];
  Flit flit = router.input_vcs[index_of(input, vc)].buffer.front();
  OutputVc& output_vc = router.output_vcs[index_of(branch.output, branch.vc)];
  promise(output_vc.owner == flit.message, "a flit leaves by another message's VC");
  Cycle arrival = now_ + 1;
  int end = wire(node, branch.output);
  if (branch.output < shape_.ports) {
    arrival += config_.link_delay;
    end = wire(neighbour(shape_, node, branch.output), far_port(shape_, branch.output));
    ++flit.hops;
    ++results_.flit_hops;
  }
  flit_wires_[end].push_back({arrival, branch.vc, flit});
  expect_change(arrival);
  --output_vc.credits;
  if (is_tail(flit)) output_vc.owner = none;
  branch.is_taken = true;
  router.input_pointers[input] = (vc + 1) % vcs_of(input);
  has_changed_ = true;
}

/// A flit that all branches have taken leaves its buffer and gives a credit.
void Fabric::release(int node) {
  for (int input = 0; input < width(); ++input) {
    for (int vc = 0; vc < vcs_of(input); ++vc) {
      InputVc& input_vc = routers_[node].input_vcs[index_of(input, vc)];
      if (input_vc.buffer.empty()) continue;
      const bool is_done = std::all_of(input_vc.branches.begin(), input_vc.branches.end(),
                                       [](const Branch& branch) { return branch.is_taken; });
      if (!is_done) continue;
      for (Branch& branch : input_vc.branches) branch.is_taken = false;
      if (is_tail(input_vc.buffer.front())) input_vc.branches.clear();
      input_vc.buffer.pop_front();
      if (input < shape_.ports) {
        const Cycle arrival = now_ + 1 + config_.link_delay;
        const int end = wire(neighbour(shape_, node, input), far_port(shape_, input));
        credit_wires_[end].push_back({arrival, vc});
        expect_change(arrival);
      } else {
        processors_[node].injection[input - shape_.ports].returning.push_back(now_ + 2);
        expect_change(now_ + 2);
      }
    }
  }
}

// ---- Observation and the run ----

void Fabric::lose_cycle(int node, int output, int waiting, int holding) {
  const bool is_queued_at_source =
      messages_[waiting].name.u == node && messages_[holding].name.u == node;
  if (waiting == holding || is_queued_at_source) return;
  const bool is_reception = output >= shape_.ports;
  const int port = is_reception ? output - shape_.ports : output;
  LostCycles& lost = lost_cycles_[{is_reception, node, port, waiting, holding}];
  if (lost.count++ == 0) lost.first = now_;
}

Results Fabric::run() {
  for (bool is_quiescent = false; !is_quiescent; ++now_) {
    has_changed_ = false;
    for (int node = 0; node < shape_.nodes; ++node) eject(node);
    start_collectives();
    for (int node = 0; node < shape_.nodes; ++node) {
      generate(node);
      inject(node);
    }
    for (int node = 0; node < shape_.nodes; ++node) {
      accept(node);
      route(node);
      allocate_vcs(node);
      allocate_switch(node);
      release(node);
    }
    is_quiescent = !has_changed_ && now_ >= latest_timer_;
  }
  return collect();
}

/// Without a deadlock everything is in the end as after reset.
void Fabric::check_conservation() const {
  for (const Router& router : routers_) {
    for (const OutputVc& output_vc : router.output_vcs) {
      promise(output_vc.owner == none, "a VC is not free in the end");
      promise(output_vc.credits == config_.buffer_depth, "a credit is missing in the end");
    }
  }
  for (const Processor& processor : processors_) {
    for (const InjectionPort& port : processor.injection) {
      promise(port.queue.empty(), "a message is not injected");
      promise(port.credits == config_.buffer_depth, "an injection credit is missing in the end");
    }
    for (const EjectionPort& port : processor.ejection) {
      promise(port.message == none, "a tail is not ejected");
    }
  }
}

Results Fabric::collect() {
  std::set<int> stuck;
  for (const Router& router : routers_) {
    for (const InputVc& input_vc : router.input_vcs) {
      for (const Flit& flit : input_vc.buffer) stuck.insert(flit.message);
    }
  }
  results_.is_deadlocked = !stuck.empty();
  if (results_.is_deadlocked) {
    for (const Processor& processor : processors_) {
      for (const InjectionPort& port : processor.injection) {
        stuck.insert(port.queue.begin(), port.queue.end());
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
  results_.digest = digest_of_trials({results_});
  return results_;
}

}  // namespace

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
