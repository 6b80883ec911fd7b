// SPDX-License-Identifier: Apache-2.0
// Whoever runs the kernel piece by piece and sends between the pieces hears the same of worms as of
// flits, in the same cycles, wherever the pieces end. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose
// other cases (scripts/nightly).
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "rtl_model/topology/group_routes.h"
#include "tests/properties/reference/drawn_pipeline.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/properties/reference/transcript.h"
#include "tests/support/blueprint.h"
#include "tests/support/draw.h"
#include "tests/support/forked.h"
#include "tlm/interface/network_interface.h"
#include "tlm/worm/fabric.h"

namespace allport::test {
namespace {

constexpr int flit_bytes = 4;
constexpr int first_answer = 1000;  // orders of answers begin here

struct Request {
  NodeId source{};
  NodeId destination{};  // of a join its root
  MessageKind kind = MessageKind::unicast;
  DimensionMask group = 0;
  TieMask ties = 0;
  int injection = -1;
  int order = 0;  // the same for all contributions to a join
  int flits = 1;
  Cycle preparation = 0;
  Cycle annotated = 0;  // the delay of the call
};

/// What is sent, and the half cycles that then pass.
struct Piece {
  std::vector<Request> requests;
  int half_cycles = 0;
  bool is_promised = false;  // whether worms are told that nobody sends before it ends
};

struct SlicedCase {
  std::string topology;
  FabricConfig fabric;
  VcUse vc_use = VcUse::strict;
  std::vector<Piece> pieces;
  std::set<NodeId> alone;      // on worms: the nodes with a socket of their own
  bool hears_of_sent = false;  // on worms: whether the others hear of their tails
  bool ends_promised = false;  // whether worms are told that nobody sends after the last piece

  /// Whether `node` is notified of its tails on both models in their cycles.
  bool hears(NodeId node) const { return hears_of_sent || alone.count(node) > 0; }
};

void draw_fabric(Draw& draw, SlicedCase& drawn) {
  drawn.topology =
      draw.one_of<std::string>({"hypercube:1", "hypercube:3", "hypercube:4", "mesh:5", "mesh:3x4",
                                "ring:5", "ring:8", "torus:2x2", "torus:4x4", "torus:3x2x4"});
  const auto topology = parse_topology(drawn.topology);
  FabricConfig& fabric = drawn.fabric;
  fabric.vcs = topology->wraps() ? draw.one_of<int>({2, 2, 4}) : draw.one_of<int>({1, 1, 2, 3});
  fabric.join_vcs = draw.one_of<int>({0, 1, 2});
  if (draw.below(2) == 0) {
    fabric.internal_ports = 1 + draw.below(static_cast<int>(topology->port_count()));
  }
  fabric.buffer_depth = draw.one_of<int>({1, 1, 2, 3, 4, 4, 5, 8, 17});
  fabric.link_delay = draw.one_of<int>({0, 0, 0, 1, 2, 5});
  fabric.replication_delay = draw.one_of<int>({0, 0, 1, 3});
  fabric.combine_delay = draw.one_of<int>({0, 0, 1, 4});
  if (topology->wraps() && draw.below(3) == 0) drawn.vc_use = VcUse::balanced;
}

// Drawn apart, so that all else of a case is drawn as on wide channels.
void draw_phits(std::uint64_t seed, SlicedCase& drawn) {
  Draw draw(seed ^ 0xa0761d6478bd642fU);
  if (draw.below(3) > 0) return;
  const std::size_t dimensions = parse_topology(drawn.topology)->dimension_count();
  for (std::size_t i = 0; i < dimensions; ++i) {
    drawn.fabric.phits.push_back(draw.one_of<int>({1, 2, 3, 7}));
  }
}

void draw_sockets(Draw& draw, std::size_t nodes, SlicedCase& drawn) {
  const auto count = draw.one_of<int>({0, 0, 1, 2});  // nobody, some or all are alone
  for (std::size_t i = 0; i < nodes; ++i) {
    if (count == 2 || (count == 1 && draw.below(2) == 0)) drawn.alone.insert(node_id(i));
  }
  drawn.hears_of_sent = drawn.alone.empty() && draw.below(2) == 0;
}

// Adds a message to piece `at`, or the contributions to a join to this and later ones.
void draw_message(Draw& draw, int order, std::size_t at, const Topology& topology,
                  SlicedCase& drawn) {
  const auto any = [&] {
    return node_id(static_cast<std::size_t>(draw.below(static_cast<int>(topology.node_count()))));
  };
  Request request;
  request.source = any();
  request.destination = any();
  request.order = order;
  request.flits = draw.one_of<int>({1, 1, 2, 3, 5, 8, 16, 40, 150, 600});
  request.preparation = draw.one_of<int>({0, 0, 0, 1, 7, 60});
  request.annotated = draw.one_of<int>({0, 0, 0, 2, 33});
  request.kind =
      draw.one_of<MessageKind>({MessageKind::unicast, MessageKind::unicast, MessageKind::unicast,
                                MessageKind::tree, MessageKind::join, MessageKind::join_tree});
  if (request.kind == MessageKind::unicast) {
    if (request.source == request.destination) return;
    const auto dimensions = static_cast<int>(topology.dimension_count());
    if (topology.wraps()) request.ties = static_cast<TieMask>(draw.below(1 << dimensions));
    if (draw.below(4) == 0) request.injection = draw.below(3);
    drawn.pieces[at].requests.push_back(request);
    return;
  }
  const auto all = static_cast<int>(free_dimensions(topology, 0));
  request.group = group_mask(topology, static_cast<DimensionMask>(1 + draw.below(all)));
  if (request.kind == MessageKind::tree) {
    drawn.pieces[at].requests.push_back(request);
    return;
  }
  for (const NodeId node : group_nodes(topology, request.destination, request.group)) {
    request.source = node;
    const auto later = static_cast<std::size_t>(draw.below(3));
    drawn.pieces[std::min(at + later, drawn.pieces.size() - 1)].requests.push_back(request);
  }
}

SlicedCase draw_sliced_case(std::uint64_t seed) {
  Draw draw(seed);
  SlicedCase drawn;
  draw_fabric(draw, drawn);
  const auto topology = parse_topology(drawn.topology);
  draw_sockets(draw, topology->node_count(), drawn);
  drawn.pieces.resize(static_cast<std::size_t>(2 + draw.below(10)));
  const bool has_halves = draw.below(3) == 0;
  const int promises = draw.below(3);  // none, some or all
  int order = 0;
  for (std::size_t at = 0; at < drawn.pieces.size(); ++at) {
    Piece& piece = drawn.pieces[at];
    piece.half_cycles = 2 * draw.one_of<int>({0, 1, 1, 2, 3, 7, 20, 33, 64, 150, 700, 3000});
    if (has_halves) piece.half_cycles += draw.below(2);
    piece.is_promised = promises == 2 || (promises == 1 && draw.below(2) == 0);
    for (int count = draw.below(5); count > 0; --count) {
      draw_message(draw, order++, at, *topology, drawn);
    }
  }
  drawn.ends_promised = draw.below(2) == 0;
  draw_pipeline(seed, drawn.fabric);
  draw_phits(seed, drawn);
  return drawn;
}

std::string describe_sliced_case(std::uint64_t seed) {
  const SlicedCase drawn = draw_sliced_case(seed);
  const FabricConfig& c = drawn.fabric;
  std::ostringstream out;
  out << "seed " << seed << ": " << drawn.topology << " " << to_string(drawn.vc_use) << " V "
      << c.vcs << " join VCs " << c.join_vcs << " k " << c.internal_ports << " B " << c.buffer_depth
      << " d " << c.link_delay << " r " << c.replication_delay << " c " << c.combine_delay
      << pipeline_in_words(c);
  for (const int phits : c.phits) out << " s " << phits;
  out << ", " << drawn.alone.size() << " alone" << (drawn.hears_of_sent ? ", hear of tails" : "");
  for (const Piece& piece : drawn.pieces) {
    for (const Request& one : piece.requests) {
      out << "\n  #" << one.order << " " << to_string(one.kind) << " " << index(one.source) << ">"
          << index(one.destination) << " free " << one.group << " ties " << one.ties << " port "
          << one.injection << " L " << one.flits << " prepared " << one.preparation << " later "
          << one.annotated;
    }
    out << "\n  " << piece.half_cycles << " half cycles" << (piece.is_promised ? ", promised" : "");
  }
  return out.str();
}

/// The processors of all nodes: they send what they are told to, answer some of the messages that
/// they receive, and write down what they hear.
class Processors {
 public:
  Processors(const SlicedCase& cut, const CycleClock& clock, MessagePool& pool)
      : cut_(cut), clock_(clock), pool_(pool) {}

  /// A socket for the processors of `nodes`.
  tlm::tlm_initiator_socket<>& socket_of(const std::vector<NodeId>& nodes) {
    const std::string number = std::to_string(ends_.size());
    ends_.push_back(std::make_unique<End>(("end_" + number).c_str(), *this));
    for (const NodeId node : nodes) end_of_[node] = ends_.back().get();
    return ends_.back()->socket;
  }

  void send(const Request& request) {
    const auto bytes = static_cast<std::size_t>(request.flits * flit_bytes);
    tlm::tlm_generic_payload& message = pool_.allocate(bytes);
    message.set_address(index(request.destination));
    fill_payload(message, index(request.source) * 1000 + static_cast<std::size_t>(request.order));
    MessageExtension& extension = *message_extension(message);
    extension.source = request.source;
    extension.kind = request.kind;
    extension.group = request.group;
    extension.ties = request.ties;
    extension.injection = request.injection;
    extension.order = request.order;
    extension.preparation = request.preparation;
    if (is_join(request.kind)) {
      extension.join = JoinTag(request.order, JoinOperation::sum, LaneType::u32);
    }
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay(static_cast<double>(request.annotated), sc_core::SC_NS);
    const auto status = end_of_.at(request.source)->socket->nb_transport_fw(message, phase, delay);
    if (status == tlm::TLM_COMPLETED) write("refused", request.source, request.order, {});
    if (status == tlm::TLM_UPDATED) message.release();
  }

  /// What they heard, in the order of cycles.
  std::string heard() const {
    std::string text;
    for (const std::string& line : heard_) text += line;
    return text;
  }

 private:
  struct End : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
    tlm::tlm_initiator_socket<> socket;
    End(const sc_core::sc_module_name& name, Processors& all)
        : sc_module(name), socket("socket"), all_(all) {
      socket.bind(*this);
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& message, tlm::tlm_phase& phase,
                                       sc_core::sc_time&) override {
      if (phase == tlm::END_REQ) {
        const MessageExtension& extension = *message_extension(message);
        const bool is_heard = all_.cut_.hears(extension.source);
        if (is_heard) all_.write("sent", extension.source, extension.order, {});
        message.release();
        return tlm::TLM_ACCEPTED;
      }
      all_.hear(message);
      phase = tlm::END_RESP;
      return tlm::TLM_UPDATED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

   private:
    Processors& all_;
  };

  void hear(tlm::tlm_generic_payload& message) {
    const MessageExtension& extension = *message_extension(message);
    std::ostringstream more;
    more << " from " << index(extension.source) << " port " << extension.internal_port << " head "
         << extension.head << " tail " << extension.tail << " bytes "
         << payload_checksum(message.get_data_ptr(), message.get_data_length());
    write("has", extension.receiver, extension.order, more.str());
    const int choice = extension.order * 31 + static_cast<int>(index(extension.receiver)) * 7;
    if (extension.order >= first_answer || choice % 3 == 0) return;
    if (extension.source == extension.receiver) return;
    Request answer;
    answer.source = extension.receiver;
    answer.destination = extension.source;
    answer.order = first_answer + choice;
    answer.flits = 1 + choice % 50;
    answer.preparation = choice % 5;
    send(answer);
  }

  void write(const char* what, NodeId node, int order, const std::string& more) {
    std::ostringstream line;
    line.fill('0');
    line.width(9);
    line << clock_.cycle() << " node " << index(node) << " " << what << " #" << order << more
         << "\n";
    heard_.insert(line.str());
  }

  const SlicedCase& cut_;
  const CycleClock& clock_;
  MessagePool& pool_;
  std::vector<std::unique_ptr<End>> ends_;
  std::map<NodeId, End*> end_of_;
  std::multiset<std::string> heard_;  // in a cycle one model may tell of two nodes in another order
};

std::string heard(const SlicedCase& cut, bool on_worms) {
  const Blueprint blueprint(cut.topology, cut.fabric, std::nullopt, cut.vc_use);
  const std::size_t nodes = blueprint.routing.topology().node_count();
  const sc_core::sc_time period(1, sc_core::SC_NS);
  MessageLog log;
  MessagePool pool;
  std::unique_ptr<Fabric> flits;
  std::unique_ptr<WormFabric> worms;
  if (on_worms) {
    const std::vector<NodeId> alone(cut.alone.begin(), cut.alone.end());
    worms = std::make_unique<WormFabric>("fabric", blueprint.config, blueprint.routing, period, log,
                                         pool, flit_bytes, alone);
    if (cut.hears_of_sent) worms->tell_of_sent();
  } else {
    flits = std::make_unique<Fabric>("fabric", blueprint.config, blueprint.routing, period);
  }
  const CycleClock& clock = on_worms ? static_cast<CycleClock&>(*worms) : *flits;
  Processors processors(cut, clock, pool);
  std::vector<std::unique_ptr<NetworkInterface>> interfaces;
  std::vector<NodeId> together;
  for (std::size_t i = 0; i < nodes; ++i) {
    const NodeId node = node_id(i);
    if (!on_worms) {
      interfaces.push_back(std::make_unique<NetworkInterface>(
          ("interface_" + std::to_string(i)).c_str(), *flits, node, log, pool, flit_bytes));
      processors.socket_of({node}).bind(interfaces.back()->socket);
    } else if (cut.alone.count(node) > 0) {
      processors.socket_of({node}).bind(worms->socket(node));
    } else {
      together.push_back(node);
    }
  }
  if (!together.empty()) processors.socket_of(together).bind(worms->socket());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (const Piece& piece : cut.pieces) {
    for (const Request& request : piece.requests) processors.send(request);
    const sc_core::sc_time time(piece.half_cycles * 0.5, sc_core::SC_NS);
    if (on_worms && piece.is_promised) {
      worms->set_horizon(clock.cycles_in(sc_core::sc_time_stamp() + time));
    }
    const bool has_activity = sc_core::sc_pending_activity_at_current_time();
    if (piece.half_cycles > 0 || has_activity) sc_core::sc_start(time);
  }
  if (on_worms && cut.ends_promised) worms->set_horizon(WormCalendar::never);
  if (sc_core::sc_pending_activity()) sc_core::sc_start();
  return processors.heard();
}

TEST(SlicedTime, LetsWormsBeWhereFlitsAre) {
  const RandomCases cases(100);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const SlicedCase cut = draw_sliced_case(seed);
    const std::string expected = forked([&] { return heard(cut, false); });
    const std::string found = forked([&] { return heard(cut, true); });
    ASSERT_EQ(first_difference(expected, found), "") << describe_sliced_case(seed);
  }
}

}  // namespace
}  // namespace allport::test
