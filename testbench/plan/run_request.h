// SPDX-License-Identifier: Apache-2.0
// A RunRequest is a run as an architect asks for it: a structure for each table of a scenario.
// Every field has the default of the option of the same name; plan() determines what depends on the
// fabric.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/base/name_table.h"
#include "rtl_model/router/router_config.h"
#include "rtl_model/topology/routing.h"
#include "testbench/plan/place_request.h"
#include "testbench/results/explanation.h"
#include "testbench/results/json.h"
#include "traffic/algorithms/algorithms.h"
#include "traffic/patterns/synthetic_traffic.h"
#include "traffic/planning/machine_preset.h"
#include "traffic/planning/node_model.h"
#include "traffic/planning/pair_counts.h"
#include "traffic/tasks/task_graph.h"

namespace allport {

struct LinkAttributes;
struct Replay;

/// Destinations: all nodes but the source, a number of random ones, or a list.
struct DestinationChoice {
  std::optional<std::size_t> random;  ///< number of destinations, drawn anew for each trial
  std::vector<NodeNumber> listed;     ///< destinations by number; empty: all, or random
  bool is_all() const { return !random && listed.empty(); }
};

/// Which model of the fabric runs (docs/guide/models.md).
enum class Model {
  systemc,    ///< routers of flits, cycle by cycle
  rtl,        ///< the routers in SystemVerilog, everywhere
  worm,       ///< the transaction-level fabric
  cosim,      ///< routers in SystemVerilog in lockstep with those in SystemC
  automatic,  ///< worms where they move the run exactly, which changes no result; else systemc
};

template <>
inline constexpr std::array<Named<Model>, 5> name_table<Model>{{{Model::systemc, "systemc"},
                                                                {Model::rtl, "rtl"},
                                                                {Model::worm, "worm"},
                                                                {Model::cosim, "cosim"},
                                                                {Model::automatic, "auto"}}};

struct FabricRequest {
  /// Shape of the fabric, without the nodes that are missing (take_out_nodes()); null: missing.
  std::shared_ptr<const Topology> topology;
  std::optional<RoutingOrder> routing;  ///< order of dimensions; none: the topology's default
  /// Of routing `table`, and of no other; none: that of a graph is up*/down* where no routing is
  /// given.
  std::optional<TableChoice> table;
  std::optional<int> ports;             ///< internal ports of a node; none: all
  std::optional<MissingLinks> missing;  ///< links that are missing; none: all are there
  /// Nodes that have been taken out of `whole`; none: all are there.
  std::optional<MissingNodes> missing_nodes{};
  std::shared_ptr<const Topology> whole{};  ///< with all nodes; null: it is `topology`
  /// Whether a run is planned anew around what is missing, on the part of the fabric that holds the
  /// source (missing_nodes.h).
  bool replan = false;
  std::vector<NodeId> gone{};     ///< routers of `whole` that have been taken out, ascending
  std::vector<NodeId> cut_off{};  ///< those of them that no option names: no ways lead there
  /// The channels of missing links, where they were found before nodes were cut off; none: they are
  /// those of `missing`.
  std::optional<std::vector<Channel>> missing_channels{};
  /// The same with those of the nodes that were cut off, as channels of `whole`.
  std::vector<Channel> whole_missing{};

  /// Whether routers follow a table: of a graph they always do.
  bool has_table() const { return table || (topology != nullptr && topology->is_graph()); }
};

/// What goes wrong on external channels (docs/router.md, link-level retry).
struct LinkErrorRequest {
  ErrorPlaces flits{};    ///< flits that are in error, at the receiving ends of channels
  double flit_rate = 0;   ///< share of all flits that are, 0..0.5
  double bit_rate = 0;    ///< share of all bits that are, in its place
  ErrorPlaces credits{};  ///< credits that are lost, as their senders would see them

  /// Whether something makes flits err, for which channels need retry.
  bool hits_flits() const { return !flits.listed.empty() || flit_rate > 0 || bit_rate > 0; }
};

struct RouterRequest : RouterChoice {
  VcUse vc_use = VcUse::strict;  ///< classes of virtual channels that messages may use
  std::vector<int> link_widths;  ///< bytes that an external channel carries in a cycle, one for all
                                 ///< or by dimension, 1..flit bytes; empty: those of a flit
  /// Links that have a delay and a width of their own, in the place of these; null: none.
  std::shared_ptr<const LinkAttributes> link_attributes{};
  LinkErrorRequest errors{};
};

/// What messages carry (docs/guide/models.md).
enum class Payload {
  automatic,  ///< bytes, but symbols for worms of more than 2^31 bytes in all
  bytes,      ///< all of their bytes
  symbols,    ///< on worms: an integer for each block, or one byte for a whole message
};

struct MessageRequest {
  int flits = 16;         ///< length, 1..10^6 flits, on worms 1..10^9
  std::size_t bytes = 0;  ///< length in bytes, up to 8 * 10^9; 0: it is given in flits
  /// The bytes of each pair of an alltoall, in place of one length: a file, or - for stdin; empty:
  /// none.
  std::string counts{};
  /// What is in it, read by settle_counts(), or a table without a file; null: none. `bytes` is then
  /// that of the largest pair.
  std::shared_ptr<const PairCounts> pairs{};
  Payload payload = Payload::automatic;
  int flit_bytes = 4;  ///< payload of a flit, 1..64 bytes
  int pieces = 1;      ///< messages of one multicast, forwarded one by one; 0: the best number
  int parts = 0;       ///< parts that each block of a collective is cut into; 0: the default number
  int blocks = 0;      ///< blocks of a schedule file's vector or message; 0: as the file needs
  /// Flits of each address in the lists of a multicast's headers, 0..256; 0: there are no lists.
  int address_flits = 0;
  JoinTag join;              ///< what routers compute where contributions to a join meet
  int flits_long = 0;        ///< length of a pattern's long messages in flits; 0: there are none
  double long_fraction = 0;  ///< share of the long messages, 0..1
};

struct NodeRequest : NodeParameters {
  const MachinePreset* preset = nullptr;  ///< machine whose clock the report uses; null: none
  double clock_ghz = 0;  ///< clock rate in GHz, up to 1000; 0: that of the preset, or none
};

/// The traffic of a run; exactly one of algorithm, schedule, tasks, pattern and flows is given, or
/// a pattern or flows beside tasks, or a pattern beside an algorithm with a collective rate.
struct TrafficTable {
  const Algorithm* algorithm = nullptr;     ///< collective algorithm; null: none
  StepRule step_rule = StepRule::naive;     ///< rule by which steps are assigned
  TieBreak ties;                            ///< rule of messages half a ring away
  std::shared_ptr<const Topology> embed;    ///< fabric the plan is made on; null: the fabric itself
  std::shared_ptr<const Topology> ranks;    ///< the same for any `place`; null: what suits
  std::optional<PlaceRequest> place;        ///< nodes of the ranks; none: identity
  std::optional<GroupRequest> group;        ///< nodes that take part; none: all, as one group
  Operation collective = Operation::bcast;  ///< goal of a schedule whose unicasts carry blocks
  bool names_collective = false;            ///< whether this goal was asked for by its name
  std::string schedule;                     ///< name of a file, or - for stdin; empty: none
  std::string tasks;                        ///< name of a file, or - for stdin; empty: none
  std::shared_ptr<const TaskGraph> graph;   ///< tasks that are in no such file; null: none
  /// Cycles in which one processor does what `graph` does; 0: that is not known. None: in those of
  /// all its computing.
  std::optional<std::uint64_t> alone{};
  /// The program that made `graph`, with its options, for the configuration of the results; null:
  /// none.
  Json program{};
  std::shared_ptr<const Replay> replay;  ///< traces that `graph` was read from; null: none
  std::string pattern;                   ///< name of a synthetic pattern; empty: none
  std::string flows;  ///< a table of flows in its place: a file, or - for stdin; empty: none
  double rate = 0;    ///< offered load, flits per node and cycle
  /// The loop of the pattern, in place of the rate, if requests are outstanding; replies of 0 flits
  /// are as long as requests.
  ClosedLoop loop{0, 0, 0};
  int reception_limit = 0;  ///< of a closed loop: flits of a node's reception buffer; 0: it takes
                            ///< every message at once
  /// Collectives of `algorithm` that a node starts per cycle, up to 1; none: they start at once.
  std::optional<double> collective_rate;
  /// Cycles in which messages or collectives start, 1..10^12; beside tasks at most, and 0: 10^6.
  Cycle cycles = 0;
  Cycle warmup = 0;  ///< first cycle measured
  std::vector<NodeNumber> hotspots{NodeNumber{}};
  double hotspot_fraction = 0.1;    ///< share of the messages to the hotspots, 0..1
  std::vector<NodeNumber> sources;  ///< empty: node 0, or the only root of the schedule
  DestinationChoice destinations;
  /// The source and the destinations in place of these, as a chain that the algorithm splits;
  /// empty: none.
  std::vector<NodeNumber> chain;
  /// The block that the algorithm `block` recurses: a file, or - for stdin; empty: none.
  std::string block{};
  /// What is in it, read by settle_block(), or a block without a file; null: none.
  std::shared_ptr<const UnitBlock> units{};
  std::size_t trials = 1;  ///< runs from reset, 1..2^20
  std::uint64_t seed = 1;

  /// Whether nodes send messages at random times: those of a pattern, or of flows.
  bool has_pattern() const { return !pattern.empty() || !flows.empty(); }
  bool has_tasks() const { return !tasks.empty() || graph != nullptr; }
};

struct StaticCheckRequest {
  bool no_static = false;  ///< whether the static check beside the simulation is left out
  std::size_t max_violations = 1000;  ///< violations that the static check counts, 1..10^6
};

struct RouterDeclaration;

struct RunRequest {
  FabricRequest fabric;
  RouterRequest router;
  MessageRequest message;
  NodeRequest node;
  TrafficTable traffic;
  StaticCheckRequest check;
  ExplainRequest explain;
  Model model = Model::systemc;
  int threads = 1;  ///< that simulate together; they determine no result
  /// A router in RTL of the user's own, as it declares itself; null: the routers are the project's.
  std::shared_ptr<const RouterDeclaration> custom_router{};
  /// Options that determine the result, as a user asked for them in words, by key; without those
  /// that have their defaults. They name the run, and nothing else reads them.
  std::map<std::string, std::string> asked{};
};

}  // namespace allport
