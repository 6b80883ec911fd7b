// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/options/options.h"

#include <algorithm>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "testbench/program/options/place_values.h"
#include "testbench/timeline/timeline_format.h"
#include "traffic/patterns/pattern.h"

namespace allport {

namespace {

using Text = std::string_view;
using Words = std::vector<std::string_view>;

int small(Text text, const Range& range) { return static_cast<int>(parse_integer(text, range)); }

Words routing_words() {
  return {to_string(RoutingOrder::descending), to_string(RoutingOrder::ascending),
          to_string(RoutingOrder::adaptive), to_string(RoutingOrder::dimension_ordered)};
}
Words topology_words() { return {"hypercube:", "torus:", "mesh:", "ring:"}; }
Words all_word() { return {"all"}; }
Words barrier_words() { return {"none", "messages"}; }
Words pieces_words() { return {"best"}; }
Words embed_words() { return {"ring:", "torus:", "mesh:"}; }
Words place_words() { return {"identity", "gray", "snake", "random", "random:"}; }
Words group_words() { return {"box:", "subcube:0b"}; }
Words missing_links_words() { return {"random:"}; }
Words groups_words() { return {"dim:", "dims:", "box:"}; }
Words collective_words() {
  Words names;
  for (const Operation operation : operations()) names.push_back(to_string(operation));
  return names;
}
Words destination_words() { return {"all", "random:"}; }
Words switching_words() {
  Words words;
  for (const Switching mode : switching_modes) words.emplace_back(to_string(mode));
  return words;
}
Words wave_on_words() { return {"contention", "deadlock", "message:", "slowest"}; }
Words explain_words() { return {"all", "slowest:", "message:"}; }
Words vc_use_words() { return {"strict", "balanced"}; }
Words ties_words() { return {"positive", "negative", "alternate", "random:"}; }
Words step_rule_words() { return {"naive", "aware"}; }
Words model_words() { return {"systemc", "rtl", "worm", "auto"}; }
Words payload_words() { return {"bytes", "symbolic"}; }
Words send_words() { return {"nwrite", "blocking"}; }
Words receive_words() { return {"delay", "occupies"}; }
Words startup_words() { return {"serial", "per-port"}; }
Words duplex_words() { return {"full", "half"}; }
Words bandwidth_words() { return {"private", "shared"}; }

Words join_operation_words() {
  Words words;
  for (const JoinOperation operation : join_operations) words.emplace_back(to_string(operation));
  return words;
}
Words lane_type_words() {
  Words words;
  for (const LaneType type : lane_types) words.emplace_back(to_string(type));
  return words;
}

void set_join_operation(Options& options, Text text) {
  const std::string word = parse_word("join operation", text, join_operation_words());
  JoinTag& join = options.run.message.join;
  for (const JoinOperation operation : join_operations) {
    if (word == to_string(operation)) join = {0, operation, join.type()};
  }
}

void set_join_type(Options& options, Text text) {
  const std::string word = parse_word("join type", text, lane_type_words());
  JoinTag& join = options.run.message.join;
  for (const LaneType type : lane_types) {
    if (word == to_string(type)) join = {0, join.operation(), type};
  }
}

Words combine_words() { return {to_string(CombineOrder::port), to_string(CombineOrder::arrival)}; }

void set_combine(Options& options, Text text) {
  const std::string word = parse_word("order of combining", text, combine_words());
  options.run.router.combine =
      word == to_string(CombineOrder::port) ? CombineOrder::port : CombineOrder::arrival;
}

void set_routing(Options& options, Text text) {
  const std::string word = parse_word("routing", text, routing_words());
  for (const RoutingOrder order : {RoutingOrder::descending, RoutingOrder::ascending,
                                   RoutingOrder::adaptive, RoutingOrder::dimension_ordered}) {
    if (word == to_string(order)) options.run.fabric.routing = order;
  }
}

void set_switching(Options& options, Text text) {
  const std::string word = parse_word("switching mode", text, switching_words());
  for (const Switching mode : switching_modes) {
    if (word == to_string(mode)) options.run.router.switching = mode;
  }
}

void set_model(Options& options, Text text) {
  const std::string word = parse_word("model", text, model_words());
  for (const Model model : {Model::systemc, Model::rtl, Model::worm, Model::automatic}) {
    if (word == to_string(model)) options.run.model = model;
  }
}

// The upper bound depends on the topology.
void set_ports(Options& options, Text text) {
  options.run.fabric.ports.reset();
  if (text == "all") return;
  try {
    options.run.fabric.ports = small(text, {-32768, 32767});
  } catch (const std::invalid_argument&) {
    throw std::invalid_argument(in_quotes(text) + " must be all or a number of ports");
  }
}

void set_barrier(Options& options, Text text) {
  options.run.node.barrier.reset();
  options.run.node.barrier_messages = text == "messages";
  if (text == "none" || options.run.node.barrier_messages) return;
  try {
    options.run.node.barrier = parse_integer(text, limits::node_cycles);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string(error.what()) + ", none or messages");
  }
}

void set_link_delay(Options& options, Text text) {
  RouterRequest& router = options.run.router;
  router.link_delay = 0;
  router.link_delays.clear();
  for (const Text item : parse_list(text)) {
    router.link_delays.push_back(small(item, limits::link_delay));
  }
  if (router.link_delays.size() > 1) return;
  router.link_delay = router.link_delays.front();
  router.link_delays.clear();
}

void set_link_width(Options& options, Text text) {
  std::vector<int>& widths = options.run.router.link_widths;
  widths.clear();
  for (const Text item : parse_list(text)) {
    widths.push_back(static_cast<int>(parse_bytes(item, limits::flit_bytes)));
  }
}

void set_pieces(Options& options, Text text) {
  options.run.message.pieces = text == "best" ? 0 : small(text, limits::pieces);
}

void set_payload(Options& options, Text text) {
  const std::string word = parse_word("payload", text, payload_words());
  options.run.message.payload = word == "symbolic" ? Payload::symbols : Payload::bytes;
}

void set_send(Options& options, Text text) {
  const std::string word = parse_word("way of sending", text, send_words());
  options.run.node.model.send_blocks = word == "blocking";
}

void set_receive(Options& options, Text text) {
  const std::string word = parse_word("way of receiving", text, receive_words());
  options.run.node.model.receive_occupies = word == "occupies";
}

void set_startup(Options& options, Text text) {
  const std::string word = parse_word("way of starting up", text, startup_words());
  options.run.node.model.startup_per_port = word == "per-port";
}

void set_duplex(Options& options, Text text) {
  options.run.node.model.is_half_duplex = parse_word("duplex", text, duplex_words()) == "half";
}

void set_bandwidth(Options& options, Text text) {
  const std::string word = parse_word("bandwidth of ports", text, bandwidth_words());
  options.run.node.model.shares_bandwidth = word == "shared";
}

void set_algorithms(Options& options, Text text) {
  options.algorithms.clear();
  for (const Text name : parse_list(text)) options.algorithms.push_back(&find_algorithm(name));
}

void set_steps(Options& options, Text text) {
  const std::string word = parse_word("step rule", text, step_rule_words());
  options.run.traffic.step_rule = word == "aware" ? StepRule::aware : StepRule::naive;
}

void set_ties(Options& options, Text text) {
  constexpr Text random = "random:";
  TieBreak& ties = options.run.traffic.ties;
  ties = {};
  if (text.substr(0, random.size()) == random) {
    ties = {TieBreak::Rule::random, parse_seed(text.substr(random.size()))};
    return;
  }
  for (const TieBreak::Rule rule :
       {TieBreak::Rule::positive, TieBreak::Rule::negative, TieBreak::Rule::alternate}) {
    ties.rule = rule;
    if (text == ties.in_words()) return;
  }
  throw std::invalid_argument(in_quotes(text) +
                              " must be positive, negative, alternate or random:SEED");
}

void set_vc_use(Options& options, Text text) {
  const std::string word = parse_word("rule of VC use", text, vc_use_words());
  options.run.router.vc_use = word == "balanced" ? VcUse::balanced : VcUse::strict;
}

void set_wave_nodes(Options& options, Text text) {
  options.observe.wave_nodes.clear();
  if (text != "all") options.observe.wave_nodes = parse_nodes(text);
}

std::string table_file(Text text) {
  if (text == "-") throw std::invalid_argument("'-' must be the name of a file");
  return parse_path(text);
}

void set_explain(Options& options, Text text) {
  const ExplainRequest parsed = parse_explained(text);
  ExplainRequest& request = options.run.explain;
  request.causes = true;
  request.listed = parsed.listed;
  request.message = parsed.message;
}

// All messages, unless --explain says which.
void set_messages(Options& options, Text text) {
  options.observe.messages = table_file(text);
  options.run.explain.causes = true;
  if (options.run.explain.listed == 0) options.run.explain.listed = ExplainRequest::all;
}

void set_channel_load(Options& options, Text text) {
  options.observe.channel_load = table_file(text);
  options.run.explain.channels = true;
}

void set_timeline(Options& options, Text text) {
  const std::string path = parse_path(text);
  if (!timeline_format(path)) {
    throw std::invalid_argument(shown_path(path) + ": the name must end in .pftrace or .ftr");
  }
  options.observe.timeline = path;
  options.run.explain.movement = true;
}

// A picture of a run needs the causes of its latencies and the movement of its messages.
void set_report(Options& options, Text text) {
  options.observe.report = page_file(text);
  options.run.explain.causes = true;
  options.run.explain.movement = true;
}

void set_rtl(Options& options, Text text) {
  options.cosim.files.clear();
  if (text == project_router) return;
  for (const Text file : parse_list(text)) options.cosim.files.emplace_back(file);
}

Words ours_word() { return {project_router}; }

void add_words(std::vector<std::string>& list, Text text) {
  for (const Text word : parse_list(text)) list.emplace_back(word);
}

}  // namespace

std::vector<std::string_view> algorithm_names() {
  Words names;
  for (const Algorithm& algorithm : algorithms()) names.push_back(algorithm.name);
  return names;
}

std::vector<std::string_view> pattern_names() {
  Words names;
  for (const Pattern& pattern : patterns()) names.push_back(pattern.name);
  return names;
}

std::vector<std::string_view> preset_names() {
  Words names;
  for (const MachinePreset& preset : machine_presets()) names.push_back(preset.name);
  return names;
}

const std::vector<OptionSpec>& option_table() {
  static const std::vector<OptionSpec> table{
      {"fabric", "topology", "SHAPE", "",
       "hypercube:N, torus:KxK[xK..], mesh:KxK[xK..] or ring:K (required)",
       [](Options& o, Text t) { o.run.fabric.topology = parse_topology(t); }, topology_words},
      {"fabric", "routing", "ORDER", "descending, or dimension-ordered",
       "hypercubes: descending or ascending e-cube, or adaptive; else dimension-ordered",
       set_routing, routing_words},
      {"fabric", "ports", "K", "all",
       "internal ports of a node: all, or 1 to the number of external ports", set_ports, all_word},

      {"fabric", "missing_links", "LINKS", "",
       "links that are missing: u-v or, one way, 'u>v', separated by commas, random:N[:SEED], or a file; no message may cross them",
       [](Options& o, Text t) { o.run.fabric.missing = parse_missing_links(t); },
       missing_links_words},

      {"router", "vcs", "N", "1; 2 on rings, tori and with adaptive",
       "virtual channels of an external channel",
       [](Options& o, Text t) { o.run.router.vcs = small(t, limits::vcs); }},
      {"router", "vc_use", "RULE", "strict",
       "rings and tori: whether messages that never cross the wraparound channel of a dimension use one class of virtual channels (strict) or both (balanced)",
       set_vc_use, vc_use_words},
      {"router", "buffer_depth", "FLITS", "4",
       "depth of the buffer of each virtual channel; a router of your own may declare the only one",
       [](Options& o, Text t) { o.run.router.buffer_depth = small(t, limits::buffer_depth); }},
      {"router", "link_delay", "CYCLES", "0",
       "registers added to each external channel; a list gives those of dimension 0, 1, ..",
       set_link_delay},
      {"router", "link_width", "BYTES", "",
       "bytes that an external channel carries in a cycle, by default those of a flit; a list gives those of dimension 0, 1, ..; a flit occupies the channel for ceil(flit bytes / width) cycles",
       set_link_width},
      {"router", "replication_delay", "CYCLES", "0",
       "how long a router holds a tree flit before it branches",
       [](Options& o, Text t) {
         o.run.router.replication_delay = small(t, limits::replication_delay);
       }},
      {"router", "combine_delay", "CYCLES", "0",
       "how long a router holds the flits of a join where contributions meet",
       [](Options& o, Text t) { o.run.router.combine_delay = small(t, limits::combine_delay); }},
      {"router", "combine", "ORDER", "port",
       "order in which a router combines the operands of a join: port (that of its ports, always the same) or arrival (that in which their flits came; systemc)",
       set_combine, combine_words},
      {"router", "join_vcs", "N", "0",
       "virtual channels beside --vcs: 0 (joins and trees use those of all), 1 (they share one of their own) or 2 (one for joins, one for trees)",
       [](Options& o, Text t) { o.run.router.join_vcs = small(t, limits::join_vcs); }},
      {"router", "switching", "MODE", "wormhole",
       "when flits move on: wormhole, cut-through, store-and-forward or circuit", set_switching,
       switching_words},

      {"message", "flits", "L", "16", "length of a message in flits",
       [](Options& o, Text t) { o.run.message.flits = small(t, limits::flits); }},
      {"message", "bytes", "BYTES", "",
       "length of a message in bytes, alone or with KiB, MiB or GiB, instead of --flits",
       [](Options& o, Text t) { o.run.message.bytes = parse_bytes(t, limits::bytes); }},
      {"message", "counts", "FILE", "",
       "the bytes that each rank of an alltoall sends to each other one, instead of one length for all, CSV: a line for each rank that sends, in it a cell for each one that receives; - is stdin",
       [](Options& o, Text t) { o.run.message.counts = parse_path(t); }},
      {"message", "address_flits", "FLITS", "0",
       "flits of each address in a header's list of the destinations that the receiver serves, in multicasts by unicasts",
       [](Options& o, Text t) { o.run.message.address_flits = small(t, limits::address_flits); }},
      {"message", "flit_bytes", "BYTES", "4", "payload of a flit, 1..64 bytes",
       [](Options& o, Text t) {
         o.run.message.flit_bytes = static_cast<int>(parse_bytes(t, limits::flit_bytes));
       }},
      {"message", "payload", "WHAT", "",
       "what messages carry: bytes, or symbolic (on worms; the usual choice above 2^31 bytes in all)",
       set_payload, payload_words},
      {"message", "pieces", "R", "1",
       "pieces that each multicast is cut into, forwarded one by one: 1..flits, or best",
       set_pieces, pieces_words},
      {"message", "parts", "Q", "",
       "parts that each block of a collective is cut into; the usual number is the algorithm's, and 1 in a schedule file",
       [](Options& o, Text t) { o.run.message.parts = small(t, limits::parts); }},
      {"message", "blocks", "B", "",
       "blocks of the vector or message of a schedule file; the usual number is one more than the largest in the file",
       [](Options& o, Text t) { o.run.message.blocks = small(t, limits::pieces); }},
      {"message", "join_operation", "NAME", "sum",
       "what routers compute in joins: sum, min, max, and, or, xor", set_join_operation,
       join_operation_words},
      {"message", "join_type", "TYPE", "u32", "lanes of joins: u32, u64 or float32", set_join_type,
       lane_type_words},
      {"message", "flits_long", "L2", "", "long messages of a pattern: their length in flits",
       [](Options& o, Text t) {
         o.run.message.flits_long = small(t, {2, limits::flits.high});
       }},
      {"message", "long_fraction", "F", "", "long messages of a pattern: their share, 0..1",
       [](Options& o, Text t) { o.run.message.long_fraction = parse_decimal(t, 0, 1); }},

      {"node", "ts", "CYCLES", "0", "time to prepare a message at its sender, one at a time",
       [](Options& o, Text t) { o.run.node.ts = parse_integer(t, limits::node_cycles); }},
      {"node", "tr", "CYCLES", "0", "time from the last flit until the processor has the message",
       [](Options& o, Text t) { o.run.node.tr = parse_integer(t, limits::node_cycles); }},
      {"node", "ts_per_flit", "CYCLES", "0", "added to --ts for each flit of the message",
       [](Options& o, Text t) {
         o.run.node.model.ts_per_flit = parse_integer(t, limits::node_cycles);
       }},
      {"node", "tr_per_flit", "CYCLES", "0", "added to --tr for each flit of the message",
       [](Options& o, Text t) {
         o.run.node.model.tr_per_flit = parse_integer(t, limits::node_cycles);
       }},
      {"node", "send", "WHEN", "nwrite",
       "when a send is over: nwrite (the message is prepared) or blocking (its tail has left)",
       set_send, send_words},
      {"node", "receive", "HOW", "delay",
       "what --tr is: delay (any number of messages at once) or occupies (the processor does nothing else)",
       set_receive, receive_words},
      {"node", "startup", "HOW", "serial",
       "who prepares messages: serial (the processor, one at a time) or per-port (each injection port, beside the processor)",
       set_startup, startup_words},
      {"node", "duplex", "HOW", "full",
       "what a port of a node does in a cycle: full (it sends a flit and receives one) or half (one of both, and a flit that comes goes first)",
       set_duplex, duplex_words},
      {"node", "bandwidth", "HOW", "private",
       "what the ports of a node can do together: private (each has its own channels) or shared (they send one flit in a cycle, and receive one)",
       set_bandwidth, bandwidth_words},
      {"node", "clock", "GHZ", "",
       "clock rate of the fabric in GHz, by which reports give microseconds and GB/s",
       [](Options& o, Text t) { o.run.node.clock_ghz = parse_decimal(t, 0.000001, 1000); }},
      {"node", "jitter", "CYCLES", "0", "largest random delay of a message at its injection port",
       [](Options& o, Text t) { o.run.node.jitter = parse_integer(t, limits::node_cycles); }},
      {"node", "skew", "CYCLES", "0",
       "latest random start of a node: each draws from 0..CYCLES, once in each trial, and prepares nothing before",
       [](Options& o, Text t) { o.run.node.skew = parse_integer(t, limits::node_cycles); }},
      {"node", "barrier", "CYCLES", "none",
       "what separates several collectives: none (they start at once), a number of cycles, or messages (a barrier of messages, hypercubes only)",
       set_barrier, barrier_words},
      {"node", "preset", "NAME", "",
       "machine whose parameters become the defaults and whose clock gives microseconds; see `allport list`",
       [](Options& o, Text t) { o.run.node.preset = &find_machine_preset(t); }, preset_names},

      {"traffic", "algorithm", "NAME", "", "collective algorithm, see `allport list`",
       [](Options& o, Text t) { o.run.traffic.algorithm = &find_algorithm(t); }, algorithm_names},
      {"traffic", "algorithms", "NAME,..", "all that apply",
       "algorithms, in the order of the output", set_algorithms, algorithm_names},
      {"traffic", "embed", "SHAPE", "",
       "plan the algorithm on this ring, torus or mesh, placed on the hypercube by Gray codes",
       [](Options& o, Text t) { o.run.traffic.embed = parse_topology(t); }, embed_words},
      {"traffic", "place", "HOW", "",
       "node of each rank: identity (the usual one), gray (hypercubes), snake (from neighbour to neighbour), random[:SEED], or a file with the node of rank 0, 1, ..",
       [](Options& o, Text t) { o.run.traffic.place = parse_place(t); }, place_words},
      {"traffic", "ranks", "SHAPE", "",
       "fabric of ranks on which the algorithm is planned before it is placed; the usual one is a ring, or the shape of the nodes",
       [](Options& o, Text t) { o.run.traffic.ranks = parse_topology(t); }, topology_words},
      {"traffic", "group", "NODES", "",
       "nodes that take part, if not all: a list, box:4x4@0,2, subcube:0b0xx1x or a file",
       [](Options& o, Text t) { o.run.traffic.group = parse_group(t); }, group_words},
      {"traffic", "groups", "SET", "",
       "the same collective in all groups at once: dim:0, dims:0,1, box:4x4 or a file with a group in each line",
       [](Options& o, Text t) { o.run.traffic.group = parse_groups(t); }, groups_words},
      {"traffic", "collective", "NAME", "bcast",
       "collective that a schedule with blocks carries out, or whose algorithms compare tries: bcast, scatter, gather, allgather, ..",
       [](Options& o, Text t) {
         o.run.traffic.collective = find_operation(t);
         o.run.traffic.names_collective = true;
       },
       collective_words},
      {"traffic", "steps", "RULE", "naive",
       "how steps are assigned where phases do not fix them: naive (by ports) or aware (by channels too)",
       set_steps, step_rule_words},
      {"traffic", "ties", "RULE", "positive",
       "rings and tori: which way a message goes whose two ways round a ring are equally long: positive, negative, alternate (by the sender's coordinate) or random:SEED",
       set_ties, ties_words},
      {"traffic", "schedule", "FILE", "",
       "a schedule of your own: JSON Lines, MSCCL XML or an MSCCL++ plan; - is stdin",
       [](Options& o, Text t) { o.run.traffic.schedule = parse_path(t); }},
      {"traffic", "tasks", "FILE", "",
       "a program as tasks that compute, send and receive, JSON Lines; - is stdin",
       [](Options& o, Text t) { o.run.traffic.tasks = parse_path(t); }},
      {"traffic", "pattern", "NAME", "",
       "synthetic traffic instead of a collective, or beside ranks, see `allport list`",
       [](Options& o, Text t) { o.run.traffic.pattern = find_pattern(t).name; }, pattern_names},
      {"traffic", "flows", "FILE", "",
       "a table of flows instead of a pattern, CSV: source, destination, rate, flits and, if wanted, from, to, on, off; - is stdin",
       [](Options& o, Text t) { o.run.traffic.flows = parse_path(t); }},
      {"traffic", "rate", "RATE", "", "offered load of a pattern, in flits per node and cycle",
       [](Options& o, Text t) { o.run.traffic.rate = parse_decimal(t, 0, 1e6); }},
      {"traffic", "collective_rate", "RATE", "",
       "collectives of the algorithm that each source (default: every node) starts per cycle at random, 0..1; a pattern may send messages beside them",
       [](Options& o, Text t) { o.run.traffic.collective_rate = parse_decimal(t, 0, 1); }},
      {"traffic", "cycles", "CYCLES", "",
       "number of cycles in which a pattern or flows start messages, and nodes start collectives; beside ranks at most (usually 1000000)",
       [](Options& o, Text t) {
         o.run.traffic.cycles = parse_integer(t, {1, limits::cycles.high});
       }},
      {"traffic", "warmup", "CYCLES", "0",
       "first cycle in which a pattern, flows, or collectives that start at random, are measured",
       [](Options& o, Text t) { o.run.traffic.warmup = parse_integer(t, limits::cycles); }},
      {"traffic", "hotspot", "NODE,..", "0", "hotspots of the pattern hotspot",
       [](Options& o, Text t) { o.run.traffic.hotspots = parse_nodes(t); }},
      {"traffic", "hotspot_fraction", "F", "0.1",
       "share of messages to the hotspots of the pattern hotspot, 0..1",
       [](Options& o, Text t) { o.run.traffic.hotspot_fraction = parse_decimal(t, 0, 1); }},
      {"traffic", "source", "NODE,..", "0",
       "node that holds the message, for a schedule its only root; several nodes (run, compare): one collective each, all from cycle 0",
       [](Options& o, Text t) { o.run.traffic.sources = parse_nodes(t); }},
      {"traffic", "destinations", "SET", "all",
       "all, a list such as 1,3,5, or random:M, drawn for each trial; `sweep` takes several sets, separated by semicolons: 'random:8;random:32'",
       [](Options& o, Text t) { o.run.traffic.destinations = parse_destinations(t); },
       destination_words},
      {"traffic", "chain", "NODE,..", "",
       "source and destinations in one: a cube-ordered chain, which ucube, maxport, combine or wsort splits in place of its own; `check` says whether it is one; `sweep` takes several, separated by semicolons",
       [](Options& o, Text t) { o.run.traffic.chain = parse_nodes(t); }},
      {"traffic", "block", "FILE", "",
       "the block that the algorithm block recurses: a schedule of a broadcast on torus:4x4, whose nodes stand for units; - is stdin",
       [](Options& o, Text t) { o.run.traffic.block = parse_path(t); }},
      {"traffic", "trials", "T", "1", "runs from reset, each with its own random draws",
       [](Options& o, Text t) { o.run.traffic.trials = parse_count(t, limits::trials); }},
      {"traffic", "seed", "S", "1", "seed of all random draws",
       [](Options& o, Text t) { o.run.traffic.seed = parse_seed(t); }},

      {"observe", "json", "FILE", "", "write the results as JSON; - is stdout",
       [](Options& o, Text t) { o.observe.json = parse_path(t); }},
      {"observe", "explain", "WHAT", "",
       "give every cycle of every latency its cause; messages listed in the JSON: all, slowest:N or one, message:5>9#0",
       set_explain, explain_words},
      {"observe", "messages", "FILE", "",
       "write the cycles of every message and their causes as CSV", set_messages},
      {"observe", "channel_load", "FILE", "",
       "write what each channel does in every cycle as CSV: used, lost, no_credit, empty, idle",
       set_channel_load},
      {"observe", "every", "CYCLES", "one stretch",
       "--channel-load sums up the run in stretches of this length",
       [](Options& o, Text t) {
         o.run.explain.every = parse_integer(t, {1, limits::cycles.high});
       }},
      {"observe", "timeline", "FILE", "",
       "write who did what when: FILE.pftrace for ui.perfetto.dev, FILE.ftr for Surfer",
       set_timeline},
      {"observe", "report", "FILE", "",
       "write a page for a browser that shows and explains the run: FILE.html", set_report},
      {"observe", "deadlock", "FILE", "",
       "draw a deadlock, if there is one: FILE.dot, or FILE.svg or FILE.png by Graphviz",
       [](Options& o, Text t) { o.observe.deadlock = parse_path(t); }},
      {"observe", "strict", "", "", "a contention event makes the run fail (exit status 1)",
       [](Options& o, Text t) { o.observe.strict = parse_flag(t); }},
      {"observe", "no_static", "", "", "skip the static check of the schedule",
       [](Options& o, Text t) { o.run.check.no_static = parse_flag(t); }},
      {"observe", "max_violations", "N", "1000",
       "where the static check stops counting pairs of messages that may meet, 1..1000000",
       [](Options& o, Text t) { o.run.check.max_violations = parse_count(t, limits::violations); }},
      {"observe", "wave", "FILE", "", "write waves: FILE.vcd or FILE.fst",
       [](Options& o, Text t) { o.observe.wave = parse_path(t); }},
      {"observe", "wave_nodes", "NODES", "all", "nodes in the waves: all, or a list such as 0,5",
       set_wave_nodes, all_word},
      {"observe", "wave_from", "CYCLE", "0", "first cycle in the waves",
       [](Options& o, Text t) { o.observe.wave_from = parse_integer(t, limits::cycles); }},
      {"observe", "wave_to", "CYCLE", "end", "last cycle in the waves",
       [](Options& o, Text t) { o.observe.wave_to = parse_integer(t, limits::cycles); }},
      {"observe", "wave_on", "WHAT", "",
       "record only a finding, in a second run: contention:N, deadlock, message:5>9#0 or slowest",
       [](Options& o, Text t) { o.observe.wave_on = parse_wave_on(t); }, wave_on_words},
      {"observe", "wave_margin", "CYCLES", "50", "cycles recorded before and after that finding",
       [](Options& o, Text t) { o.observe.wave_margin = parse_integer(t, limits::cycles); }},
      {"observe", "model", "MODEL", "systemc",
       "which model of the fabric runs: systemc, rtl, worm (transaction level, exact), or auto (worm where it moves this run, else systemc)",
       set_model, model_words},
      {"model", "rtl_nodes", "SET", "all",
       "nodes whose routers are RTL: all, a list such as 5,9, or random:F, a share drawn by the seed",
       [](Options& o, Text t) { o.cosim.nodes = parse_node_choice(t); }, destination_words},
      {"model", "rtl", "FILE,..", "ours",
       "SystemVerilog files of a router of your own (docs/bring-your-own-router.md)", set_rtl,
       ours_word},
      {"model", "file_list", "FILE,..", "",
       "more of its files, and options of Verilator, one a line as in its own -f FILE",
       [](Options& o, Text t) { add_words(o.cosim.lists, t); }, nullptr, true, 'f'},
      {"model", "include", "FOLDER,..", "", "folders in which the files that it includes are",
       [](Options& o, Text t) { add_words(o.cosim.includes, t); }, nullptr, true},
      {"model", "define", "NAME[=VALUE],..", "", "macros that are defined for it",
       [](Options& o, Text t) {
         for (auto& one : parse_macros(t)) o.cosim.defines.push_back(std::move(one));
       },
       nullptr, true},
      {"model", "top", "NAME", "name of its last file", "top module of that router",
       [](Options& o, Text t) { o.cosim.top = parse_module(t); }},
      {"model", "parameter", "K=V,..", "",
       "parameters of the top module, in addition to those of the contract",
       [](Options& o, Text t) {
         for (auto& one : parse_assignments(t)) o.cosim.parameters.push_back(std::move(one));
       },
       nullptr, true},
      {"model", "declaration", "FILE", "",
       "TOML file that says what this router has, where its top has no parameters for that",
       [](Options& o, Text t) { o.cosim.declaration = parse_path(t); }},
      {"model", "all_topologies", "", "",
       "try a router of your own on every topology that it declares",
       [](Options& o, Text t) { o.cosim.all_topologies = parse_flag(t); }},
      {"model", "lockstep", "", "",
       "compare it with the SystemC router too if a hop takes, or may take, several cycles",
       [](Options& o, Text t) { o.cosim.lockstep = parse_flag(t); }},
      {"model", "difference_wave", "FILE", "",
       "the waves of a difference: FILE.fst; without --rtl cosim-difference.fst",
       [](Options& o, Text t) { o.cosim.difference_wave = parse_path(t); }},
      {"model", "rtl_timeout", "SECONDS", "60",
       "give up on a router of your own when one clock edge takes longer",
       [](Options& o, Text t) {
         o.cosim.timeout = std::chrono::seconds(parse_integer(t, {1, 86400}));
       }},
      {"model", "assertions", "", "", "check the assertions of the RTL in every cycle",
       [](Options& o, Text t) { o.cosim.assertions = parse_flag(t); }},
  };
  return table;
}

bool takes_list(const OptionSpec& spec) {
  return spec.value.find(',') != Text::npos || spec.value == "NODES" || spec.value == "SET";
}

bool takes_number(const OptionSpec& spec) {
  static const Words numbers{"K",     "N",     "R",    "Q",   "B",      "T",
                             "S",     "F",     "L",    "L2",  "CYCLES", "CYCLE",
                             "FLITS", "BYTES", "RATE", "GHZ", "SECONDS"};
  return std::find(numbers.begin(), numbers.end(), spec.value) != numbers.end();
}

const std::vector<std::string_view>& output_keys() {
  static const Words keys{"json",         "strict",  "explain",     "messages",
                          "channel_load", "every",   "timeline",    "report",
                          "deadlock",     "wave",    "wave_nodes",  "wave_from",
                          "wave_to",      "wave_on", "wave_margin", "difference_wave"};
  return keys;
}

std::vector<std::string_view> cosim_keys() {
  return {"rtl_nodes", "all_topologies", "lockstep", "difference_wave", "assertions"};
}

const std::vector<std::string_view>& own_router_keys() {
  static const Words keys{"file_list", "include",     "define",     "top",
                          "parameter", "declaration", "rtl_timeout"};
  return keys;
}

std::vector<std::string_view> rtl_keys() {
  std::vector<std::string_view> keys = cosim_keys();
  keys.emplace_back("rtl");
  keys.insert(keys.end(), own_router_keys().begin(), own_router_keys().end());
  return keys;
}

std::vector<std::string_view> with_background(std::vector<std::string_view> keys) {
  keys.insert(keys.end(), pattern_keys().begin(), pattern_keys().end());
  keys.insert(keys.end(), {"pattern", "flows", "flits", "bytes"});
  return keys;
}

OptionList options_named(const std::vector<std::string_view>& keys) {
  OptionList list;
  for (const OptionSpec& spec : option_table()) {
    if (std::find(keys.begin(), keys.end(), spec.key) != keys.end()) list.push_back(&spec);
  }
  return list;
}

OptionList options_without(const std::vector<std::string_view>& keys) {
  OptionList list;
  for (const OptionSpec& spec : option_table()) {
    if (std::find(keys.begin(), keys.end(), spec.key) == keys.end()) list.push_back(&spec);
  }
  return list;
}

}  // namespace allport
