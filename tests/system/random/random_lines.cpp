// SPDX-License-Identifier: Apache-2.0
#include "tests/system/random/random_lines.h"

#include <algorithm>
#include <vector>

#include "tests/traffic/tasks/wire.h"

namespace allport::test {

namespace {

using Texts = std::vector<std::string>;

bool has(Draw& draw, int one_in) { return draw.below(one_in) == 0; }

// A number for which 0 .. size - 1 is right: mostly one of these.
std::string number(Draw& draw, int size) {
  if (!has(draw, 60)) return std::to_string(draw.below(std::max(size, 1)));
  return draw.one_of(Texts{std::to_string(size), std::to_string(size + 1), "-1", "-2", "99", "255",
                           "256", "65535", "65536", "2147483647", "2147483648", "4294967295",
                           "4294967296", "-2147483648", "9223372036854775807",
                           "9223372036854775808", "18446744073709551615"});
}

// The number of a node, which a reader takes as it is.
std::string node_number(Draw& draw, int nodes) {
  if (!has(draw, 25)) return number(draw, nodes);
  return draw.one_of(Texts{std::to_string(nodes), std::to_string(nodes + 1), "99", "65536",
                           "2147483648", "4294967295"});
}

std::string list_of(Draw& draw, int size, const std::string& between) {
  std::string list;
  for (int count = draw.below(4); count >= 0; --count) {
    list += (list.empty() ? "" : between) + number(draw, size);
  }
  return list;
}
std::string list(Draw& draw, int size) { return "[" + list_of(draw, size, ",") + "]"; }
// Mostly of different numbers of nodes.
std::string list_of_nodes(Draw& draw, int nodes) {
  std::string list;
  for (const std::size_t node : draw.subset(static_cast<std::size_t>(nodes),
                                            1 + static_cast<std::size_t>(draw.below(nodes)))) {
    list += list.empty() ? "[" : ",";
    list += has(draw, 12) ? node_number(draw, nodes) : std::to_string(node);
  }
  return list + "]";
}
std::string in_quotes(const std::string& text) { return '"' + text + '"'; }
std::string word(Draw& draw, const Texts& words) { return in_quotes(draw.one_of(words)); }

void add(std::string& line, const std::string& key, const std::string& value) {
  line += (line.empty() ? "" : ",") + in_quotes(key) + ":" + value;
}

const Texts message_kinds_in_words{"unicast",          "deposit", "tree",      "path",
                                   "multidestination", "join",    "join-tree", "label"};

std::string displacement(Draw& draw, int dimensions) {
  std::string offsets;
  const int count = has(draw, 20) ? draw.below(4) : dimensions;
  for (int i = 0; i < count; ++i) {
    offsets += (i > 0 ? "," : "") + std::string(has(draw, 2) ? "-" : "") + number(draw, 3);
  }
  return "[" + offsets + "]";
}

// What a file is about: its lines rarely have what another kind of file has.
enum class About { messages, blocks, joins, timed, everything };

std::string schedule_line(Draw& draw, About about, int nodes, int dimensions, int step) {
  const bool has_all = about == About::everything;
  std::string kind = about == About::joins ? draw.one_of(Texts{"join", "join-tree", "tree"})
                                           : draw.one_of(message_kinds_in_words);
  if ((about == About::blocks || about == About::timed) && !has(draw, 6)) kind = "unicast";
  const bool goes_to_all = kind == "tree" || kind == "path";
  std::string line;
  add(line, "u", node_number(draw, nodes));
  if (!goes_to_all || has(draw, 60)) add(line, "v", node_number(draw, nodes));
  add(line, "step", has(draw, 20) ? number(draw, 3) : std::to_string(step));
  add(line, "order", number(draw, 5));
  if (kind != "unicast" || has(draw, 4)) add(line, "kind", in_quotes(kind));
  const bool goes_by_list = kind == "multidestination" || kind == "label";
  if (goes_by_list ? !has(draw, 8) : has(draw, 8)) add(line, "via", list_of_nodes(draw, nodes));
  if (kind == "label" ? has(draw, 2) : has(draw, 30)) {
    add(line, "first_dimension", number(draw, dimensions));
  }
  const bool has_group = about == About::joins || goes_to_all;
  if (has_group ? has(draw, 2) : has(draw, 30)) add(line, "free", list_of_nodes(draw, dimensions));
  if (about == About::joins ? has(draw, 2) : has(draw, 60)) add(line, "tag", number(draw, 2048));
  if (about == About::joins ? has(draw, 3) : has(draw, 90)) {
    add(line, "operation", word(draw, {"sum", "min", "max", "and", "or", "xor"}));
    add(line, "type", word(draw, {"u32", "u32", "i32"}));
  }
  const bool is_plane = dimensions == 2 ? has(draw, 12) : has(draw, 400);
  if (is_plane) add(line, "dx", number(draw, 3));
  if (is_plane) add(line, "dy", number(draw, 3));
  if (!is_plane && has(draw, 12)) add(line, "displacement", displacement(draw, dimensions));
  if (about == About::blocks || (has_all && has(draw, 3))) {
    add(line, "blocks", list(draw, nodes));
    if (has(draw, 3)) add(line, "adds", has(draw, 60) ? "1" : has(draw, 3) ? "false" : "true");
  }
  if (about == About::timed || (has_all && has(draw, 4))) {
    if (has(draw, 2)) add(line, "flits", number(draw, 20));
    if (has(draw, 2)) add(line, "at", number(draw, 50));
  }
  return "{" + line + "}\n";
}

const Texts operations{"bcast",     "scatter", "gather", "allgather",      "alltoall",
                       "allreduce", "reduce",  "scan",   "reduce_scatter", "barrier"};

}  // namespace

std::string random_schedule(Draw& draw, int nodes, int dimensions) {
  const auto about = draw.one_of(std::vector<About>{About::messages, About::blocks, About::joins,
                                                    About::timed, About::everything});
  std::string text;
  for (int lines = 1 + draw.below(12), i = 0; i < lines; ++i) {
    text += schedule_line(draw, about, nodes, dimensions, 1 + i / 3);
  }
  return text;
}

namespace {

// A line of a task of `node`; `peer`, `tag` and `flits` are those of its message.
std::string task_line(Draw& draw, const std::string& kind, int node, int peer, int tag, int flits,
                      int ranks) {
  const auto or_number = [&](int right, int size) {
    return has(draw, 30) ? number(draw, size) : std::to_string(right);
  };
  std::string line;
  add(line, "node", or_number(node, ranks));
  if (has(draw, 9)) add(line, "task", word(draw, {"a", "b", "c"}));
  const bool is_send = kind == "send";
  const bool is_call = kind == "collective";
  if (kind == "compute") add(line, kind, number(draw, 100));
  if (is_send || kind == "receive") add(line, kind, "true");
  if (is_call) add(line, kind, in_quotes(operations[static_cast<std::size_t>(tag)]));
  const bool has_length =
      is_send || (is_call && operations[static_cast<std::size_t>(tag)] != "barrier");
  if (has_length ? !has(draw, 60) : has(draw, 60)) add(line, "flits", or_number(flits, 30));
  if (has(draw, 90)) add(line, "bytes", number(draw, 99));
  if (is_send || has(draw, 90)) add(line, "to", or_number(peer, ranks));
  if (kind == "receive" ? !has(draw, 3) : has(draw, 90)) add(line, "from", or_number(peer, ranks));
  if (is_send || kind == "receive" ? !has(draw, 9) : has(draw, 90)) {
    add(line, "tag", or_number(tag, 12));
  }
  const bool has_root = is_call && tag != 3 && tag != 4 && tag != 5 && tag < 7;
  if (has_root ? !has(draw, 90) : has(draw, 90)) add(line, "root", or_number(peer, ranks));
  if (has(draw, 90)) add(line, "algorithm", word(draw, {"sbt", "direct-alltoall", "dims-bcast"}));
  if (is_call ? has(draw, 20) : has(draw, 90)) add(line, "group", word(draw, {"x", "y"}));
  if (has(draw, 20)) add(line, "after", "[" + word(draw, {"a", "b", "c"}) + "]");
  if (has(draw, 40)) add(line, "after_start", "[" + word(draw, {"a", "b", "d"}) + "]");
  if (has(draw, 8)) add(line, "cpu", number(draw, 3));
  if (has(draw, 8)) add(line, "at", number(draw, 50));
  if (is_send ? has(draw, 4) : has(draw, 90)) add(line, "nic", number(draw, 4));
  if (is_send ? has(draw, 8) : has(draw, 90)) add(line, "class", number(draw, 1));
  return "{" + line + "}\n";
}

}  // namespace

std::string random_tasks(Draw& draw, int ranks) {
  std::string text;
  for (int lines = 1 + draw.below(8); lines > 0; --lines) {
    const int from = draw.below(ranks);
    const int to = draw.below(ranks);
    const int tag = draw.below(static_cast<int>(operations.size()));
    const int flits = 1 + draw.below(20);
    const int kind = draw.below(4);
    if (kind == 0) text += task_line(draw, "compute", from, to, tag, flits, ranks);
    if (kind == 1 || kind == 2) {
      text += task_line(draw, "send", from, to, tag, flits, ranks);
      text += task_line(draw, "receive", to, from, tag, flits, ranks);
    }
    for (int rank = 0; kind == 3 && rank < ranks; ++rank) {
      text += task_line(draw, "collective", rank, to, tag, flits, ranks);
    }
  }
  return text;
}

namespace {

std::string attribute_in_xml(const std::string& key, const std::string& value) {
  return " " + key + "=" + in_quotes(value);
}

std::string step_in_xml(Draw& draw, int number_of_step, int chunks) {
  const Texts buffers{"i", "o", "s"};
  std::string step = "<step";
  step += attribute_in_xml("s", has(draw, 20) ? number(draw, 4) : std::to_string(number_of_step));
  step += attribute_in_xml(
      "type", draw.one_of(Texts{"s", "r", "rcs", "rrs", "rrc", "rrcs", "re", "cpy", "nop"}));
  step += attribute_in_xml("srcbuf", draw.one_of(buffers));
  step += attribute_in_xml("srcoff", number(draw, chunks));
  step += attribute_in_xml("dstbuf", draw.one_of(buffers));
  step += attribute_in_xml("dstoff", number(draw, chunks));
  step += attribute_in_xml("cnt", has(draw, 5) ? number(draw, 4) : "1");
  const bool depends = has(draw, 5);
  step += attribute_in_xml("depid", depends ? number(draw, 2) : "-1");
  step += attribute_in_xml("deps", depends ? number(draw, 3) : "-1");
  step += attribute_in_xml("hasdep", number(draw, 2));
  if (has(draw, 8)) step += attribute_in_xml("displacement", list_of(draw, 3, " "));
  return step + "/>\n";
}

}  // namespace

std::string random_program(Draw& draw, int ranks) {
  const int chunks = ranks * (1 + draw.below(2));
  std::string text = "<algo" + attribute_in_xml("name", "p");
  text +=
      attribute_in_xml("nchunksperloop", has(draw, 40) ? number(draw, 9) : std::to_string(chunks));
  text += attribute_in_xml("ngpus", has(draw, 20) ? number(draw, 9) : std::to_string(ranks));
  text += attribute_in_xml(
      "coll", draw.one_of(Texts{"allgather", "allreduce", "alltoall", "broadcast", "reduce",
                                "gather", "scatter", "reduce_scatter", "barrier"}));
  text += attribute_in_xml("inplace", number(draw, 2));
  if (has(draw, 20)) text += attribute_in_xml("parts", number(draw, 3));
  text += ">\n";
  for (int gpu = 0; gpu < ranks; ++gpu) {
    text +=
        "<gpu" + attribute_in_xml("id", has(draw, 40) ? number(draw, ranks) : std::to_string(gpu));
    text += attribute_in_xml("i_chunks", number(draw, 9)) +
            attribute_in_xml("o_chunks", number(draw, 9)) +
            attribute_in_xml("s_chunks", number(draw, 9)) + ">\n";
    const auto peer = [&] {
      if (has(draw, 40)) return number(draw, ranks);
      return std::to_string((gpu + 1 + draw.below(ranks - 1)) % ranks);
    };
    for (int block = 0, blocks = draw.below(3); block < blocks; ++block) {
      text += "<tb" + attribute_in_xml("id", std::to_string(block)) +
              attribute_in_xml("send", peer()) + attribute_in_xml("recv", peer()) +
              attribute_in_xml("chan", number(draw, 2)) + ">\n";
      for (int step = 0, steps = draw.below(4); step < steps; ++step) {
        text += step_in_xml(draw, step, chunks);
      }
      text += "</tb>\n";
    }
    text += "</gpu>\n";
  }
  return text + "</algo>\n";
}

std::string random_goal(Draw& draw, int ranks) {
  std::vector<std::string> blocks(static_cast<std::size_t>(ranks));
  std::vector<int> labels(static_cast<std::size_t>(ranks));
  const auto add_task = [&](int rank, const std::string& words) {
    const auto place = static_cast<std::size_t>(rank);
    blocks[place] += "l" + std::to_string(labels[place]++) + ": " + words;
    if (has(draw, 5)) blocks[place] += " cpu " + number(draw, 3);
    if (has(draw, 8)) blocks[place] += " nic " + number(draw, 4);
    blocks[place] += "\n";
  };
  for (int tasks = draw.below(10); tasks > 0; --tasks) {
    const int from = draw.below(ranks);
    const int to = draw.below(ranks);
    const std::string bytes = number(draw, 90) + "b ";
    const std::string tag = has(draw, 2) ? " tag " + number(draw, 3) : "";
    if (has(draw, 3)) {
      blocks[static_cast<std::size_t>(from)] += "calc " + number(draw, 90) + "\n";
      continue;
    }
    add_task(from, "send " + bytes + "to " +
                       (has(draw, 30) ? number(draw, ranks) : std::to_string(to)) + tag);
    add_task(to, "recv " + bytes + "from " + (has(draw, 20) ? "-1" : std::to_string(from)) +
                     (has(draw, 20) ? " tag -1" : tag));
  }
  std::string text = "num_ranks " + (has(draw, 60) ? number(draw, ranks) : std::to_string(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    const int count = labels[static_cast<std::size_t>(rank)];
    text += "\nrank " + (has(draw, 60) ? number(draw, ranks) : std::to_string(rank)) + " {\n" +
            blocks[static_cast<std::size_t>(rank)];
    if (count > 0 && has(draw, 2)) {
      text += "l" + number(draw, count) + (has(draw, 3) ? " irequires l" : " requires l") +
              number(draw, count) + "\n";
    }
    text += "}";
  }
  return text + "\n";
}

std::string random_actions(Draw& draw, int ranks) {
  // What an action takes: a rank, a tag, a number, a datatype, or a number for each rank.
  static const std::vector<std::pair<const char*, const char*>> actions{
      {"compute", "n"},        {"sleep", "n"},          {"sendRecv", "nrnrdd"},
      {"wait", "rrt"},         {"test", "rrt"},         {"waitall", "n"},
      {"barrier", ""},         {"bcast", "nrd"},        {"reduce", "nnrd"},
      {"allreduce", "nnd"},    {"scan", "nnd"},         {"gather", "nnrdd"},
      {"scatter", "nnrdd"},    {"alltoall", "nndd"},    {"gatherv", "nNrdd"},
      {"scatterv", "Nnrdd"},   {"allgatherv", "nNd"},   {"exscan", "nnd"},
      {"alltoallv", "nNnNdd"}, {"reducescatter", "Nnd"}};
  std::string text;
  for (int rank = 0; rank < ranks; ++rank) text += std::to_string(rank) + " init\n";
  for (int lines = draw.below(14); lines > 0; --lines) {
    const auto& [name, arguments] =
        actions[static_cast<std::size_t>(draw.below(static_cast<int>(actions.size())))];
    if (has(draw, 2)) {
      const std::string from = number(draw, ranks);
      const std::string to = number(draw, ranks);
      const std::string rest = " " + number(draw, 3) + " " + number(draw, 90) + "\n";
      text += from + " isend " + to + rest;
      text += to + (has(draw, 2) ? " recv " : " irecv ") + from + rest;
      continue;
    }
    const bool is_of_all = !has(draw, 6);
    std::string words = std::string(" ") + name;
    for (const char one : std::string(arguments)) {
      const int count = one == 'N' ? ranks : 1;
      const int size = one == 'r' ? ranks : one == 't' ? 3 : one == 'd' ? 60 : 200;
      for (int i = 0; i < count; ++i) words += " " + number(draw, size);
    }
    for (int rank = 0; rank < (is_of_all ? ranks : 1); ++rank) {
      text += (is_of_all ? std::to_string(rank) : number(draw, ranks)) + words + "\n";
    }
  }
  for (int rank = 0; rank < ranks; ++rank) text += std::to_string(rank) + " finalize\n";
  return text;
}

namespace {

// A node of one rank with all attributes that one of its kind has, and some others.
std::string chakra_node(Draw& draw, int id, int kind, int peer, int size, int ranks) {
  const auto any = [&](int right, int below) -> std::uint64_t {
    if (!has(draw, 20)) return static_cast<std::uint64_t>(right);
    const std::string text = number(draw, below);
    return text.front() == '-' ? static_cast<std::uint64_t>(std::stoll(text)) : std::stoull(text);
  };
  std::string node = wire_number(1, any(id, 4)) + wire_number(3, any(kind, 9));
  if (id > 0 && has(draw, 2)) node += wire_text(has(draw, 2) ? 4 : 5, varint(any(id - 1, 9)));
  if (has(draw, 2)) node += wire_number(7, any(3, 20));
  const auto add_attribute = [&](const std::string& name, int right, int below) {
    const int field = has(draw, 9) ? draw.one_of(std::vector<int>{7, 11, 13, 15, 17, 27, 29}) : 9;
    node += field == 29 ? wire_text(10, wire_text(1, name) + wire_text(29, number(draw, below)))
                        : attribute(name, field, any(right, below));
  };
  const std::vector<std::string> of_kind{kind == 4 ? "num_ops" : "comm_size",
                                         kind == 5   ? "comm_dst"
                                         : kind == 6 ? "comm_src"
                                         : kind == 7 ? "comm_type"
                                                     : "is_cpu_op"};
  add_attribute(of_kind[0], size, 99);
  add_attribute(of_kind[1], peer, ranks);
  for (const char* name : {"comm_tag", "root_rank", "comm_priority", "comm_group", "comm_src"}) {
    if (has(draw, 20)) add_attribute(name, 0, ranks);
  }
  if (has(draw, 6)) add_attribute("pg_name", 0, 2);
  if (has(draw, 6)) {
    const std::string list = wire_text(1, has(draw, 9) ? std::string("\1\0", 2) : "\1\1");
    node += wire_text(10, wire_text(1, "involved_dim") + wire_text(28, list));
  }
  return delimited(node);
}

}  // namespace

std::vector<std::string> random_chakra(Draw& draw, int ranks) {
  std::vector<std::string> files(static_cast<std::size_t>(ranks), delimited(wire_text(1, "0.0.4")));
  std::vector<int> counts(files.size());
  const auto add_node = [&](int rank, int kind, int peer, int size) {
    const auto place = static_cast<std::size_t>(rank);
    files[place] += chakra_node(draw, counts[place]++, kind, peer, size, ranks);
  };
  for (int events = draw.below(6); events > 0; --events) {
    const int from = draw.below(ranks);
    const int to = draw.below(ranks);
    const int size = 1 + draw.below(90);
    const int what = draw.below(3);
    if (what == 0) add_node(from, 4, 0, size);
    if (what == 1) add_node(from, 5, to, size);
    if (what == 1) add_node(to, 6, from, size);
    const int type = draw.below(10);
    for (int rank = 0; what == 2 && rank < ranks; ++rank) add_node(rank, 7, type, size);
  }
  return files;
}

}  // namespace allport::test
