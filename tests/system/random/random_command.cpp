// SPDX-License-Identifier: Apache-2.0
#include "tests/system/random/random_command.h"

#include <algorithm>
#include <string_view>

#include "testbench/program/commands/commands.h"
#include "testbench/program/options/options.h"
#include "tests/support/draw.h"
#include "tests/system/random/damaged_file.h"
#include "tests/system/random/random_lines.h"

namespace allport::test {

namespace {

using Texts = std::vector<std::string>;

struct KnownOption {
  std::string name;  // `--flits`
  bool is_flag = false;
};

using KnownCommands = std::map<std::string, std::vector<KnownOption>>;

// The commands of the program itself, so that a new option is tried, too.
const KnownCommands& commands() {
  static const KnownCommands table = [] {
    KnownCommands all;
    for (const Command& command : allport::commands()) {
      for (const OptionSpec* spec : command.options) {
        all[command.name].push_back({option_name(spec->key), spec->value.empty()});
      }
    }
    return all;
  }();
  return table;
}

Texts words_of(const std::string& name) {
  Texts words;
  for (const OptionSpec& spec : option_table()) {
    if (option_name(spec.key) != name || spec.words == nullptr) continue;
    for (const std::string_view word : spec.words()) words.emplace_back(word);
  }
  return words;
}

// The words of `text`, which bars separate.
Texts split(const std::string& text) {
  Texts words(1);
  for (const char c : text) {
    if (c == '|') words.emplace_back();
    if (c != '|') words.back() += c;
  }
  return words;
}

// Values that fit, for options whose values are neither words of a table nor small numbers.
const std::map<std::string, Texts>& plausible() {
  static const std::map<std::string, Texts> table{
      {"--topology",
       split("hypercube:1|hypercube:3|hypercube:4|torus:4x4|torus:3x5|mesh:4x3|ring:2|ring:7")},
      {"--embed", split("ring:8|torus:4x2|mesh:2x4|ring:16")},
      {"--ranks", split("ring:8|torus:4x2|mesh:2x2|hypercube:2|ring:16")},
      {"--place", split("identity|gray|snake|random|random:7|nowhere")},
      {"--group", split("0,1,3|1,2|box:2x2@0,1|box:4|subcube:0bx1x|subcube:0bxx00|5")},
      {"--groups", split("dim:0|dim:1|dims:0,1|box:2x2|box:2|box:1x3")},
      {"--ports", split("all|1|2")},
      {"--rate", split("0.1|0.01|1|16|0|1e-9")},
      {"--long-fraction", split("0|0.5|1")},
      {"--hotspot-fraction", split("0|0.5|1")},
      {"--cycles", split("1|100|1000")},
      {"--collective-rate", split("0.001|0.01|0.1")},
      {"--warmup", split("0|10|99")},
      {"--source", split("0|1|3|0,1|0b11")},
      {"--hotspot", split("0|1,2")},
      {"--destinations", split("all|1,2,3|random:2|5|random:7")},
      {"--chain", split("0,1,3|0,3,1,7,5|5,4,0,1|0,4,1|2")},
      {"--block", split("block.jsonl|block.jsonl|sound.jsonl")},
      {"--trials", split("1|2|5|exhaustive")},
      {"--sizes", split("1,2|3|1,2,4|8,16")},
      {"--algorithms", split("wsort|ucube,maxport|dcf|tree,sbt")},
      {"--bytes", split("1|7|64")},
      {"--wave-nodes", split("all|0|0,1")},
      {"--wave-on",
       split("contention|contention:3|deadlock|slowest|message:0>1#0|message:0>all#0")},
      {"--rtl-nodes", split("all|0|random:0.5")},
      {"--require", split("theorem1|stepwise|exactly-once")},
      {"--format", split("jsonl|msccl")},
      {"--zip", split("flits,ts|rate,seed")},
      {"--cases", split("6-cube uniform 0.2 L16")},
      {"--models", split("worm|systemc")},
      {"--partition", split("short")},
      {"--time", split("30")},
      {"--memory", split("4G")},
      {"--parameter", split("Vcs=2")},
      {"--top", split("router")},
      {"--define", split("WIDTH=8|NAME")},
      {"--jobs", split("1|2")},
      {"--faults", split("1|1|2|33")},
      {"--broken", split("1|1|2|0")},
      {"--map", split("allreduce=sbt-allreduce|barrier=dims-barrier,bcast=tree|scan=chain")},
      {"--job", split("sound.txt@0,1|sound.txt@2,3|sound.txt@box:2x2|sound.txt@5|sound.txt")},
      {"--scale", split("0|0.5|1e6|1")},
      {"--flops-rate", split("1|1e-6|2.5|0")},
      {"--executor", split("local|slurm")}};
  return table;
}

// Names of files that exist, that can exist, and that cannot.
const Texts& file_names() {
  static const Texts names = split(
      "r.json|w.fst|w.vcd|t.pftrace|t.ftr|t.csv|x.svg|x.dot|sound.toml|sound.jsonl|folder|-||no/x.json|folder/x.fst| |{}.json|%s%n.vcd|\xff.json|.|/dev/null|" +
      std::string(3000, 'n'));
  return names;
}

// A broadcast on torus:4x4: node v sends to 2v and 2v + 1.
std::string sound_block() {
  std::string text = "{\"u\":0,\"v\":1,\"step\":1,\"order\":0}\n";
  for (int v = 2, step = 2; v < 16; ++v) {
    if ((v & (v - 1)) == 0 && v > 2) ++step;
    text += "{\"u\":" + std::to_string(v / 2) + ",\"v\":" + std::to_string(v) +
            ",\"step\":" + std::to_string(step) + ",\"order\":" + std::to_string(v % 2) + "}\n";
  }
  return text;
}

bool takes_file(const std::string& name) {
  static const Texts names{"--json",
                           "--output",
                           "--channel-load",
                           "--timeline",
                           "--deadlock",
                           "--wave",
                           "--csv",
                           "--plot",
                           "--schedule",
                           "--rtl",
                           "--file-list",
                           "--include",
                           "--difference-wave",
                           "--tasks",
                           "--flows",
                           "--counts",
                           "--block"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

const Texts& nasty() {
  static const Texts values = split(
      "| |0|-1|-0|+3| 3|3 |1e9|1.5|1e-300|1e999|nan|inf|-inf|0x10|0b1|0b|0b2|99999999999999999999|9223372036854775807|4294967296|2147483648|1000000000000|1,2,3|1,,2|,|1,|3..1|1..|..5|1..3|1:2:0|0:1:1e-9|0:1:0.25|1..1000000000000|0.000000000000000001:1:1|1;2|random:|random:0|"
      "random:-1|random:99999999|random:nan|all|all,all|best|none|messages|-|--|=|a=b|=b|a=|hypercube:|hypercube:0|hypercube:20|hypercube:99999999999|ring:1|ring:1048577|torus:x|torus:4x|torus:4x4x|torus:65536x65536|torus:2x2x2x2x2x2|mesh:0x3|mesh:-1x3|\xff\xfe|\xc3\xa4|%s%n|{}|{0}|{:d}|$(id)|'|\"|\\|;|<|" +
      std::string(3000, 'a') + "|" + std::string(3000, '1') + "|" + std::string(500, ','));
  return values;
}

std::string value_of(const std::string& name, Draw& draw) {
  if (takes_file(name)) return draw.one_of(file_names());
  if (draw.below(6) == 0) return draw.one_of(nasty());
  const auto known = plausible().find(name);
  if (known != plausible().end()) return draw.one_of(known->second);
  const Texts words = words_of(name);
  if (!words.empty()) return draw.one_of(words);
  return std::to_string(draw.below(8));
}

void add_option(RandomCommand& command, const KnownOption& option, Draw& draw) {
  if (option.is_flag && draw.below(20) != 0) {
    command.arguments.push_back(option.name);
  } else if (draw.below(2) == 0) {
    command.arguments.push_back(option.name + "=" + value_of(option.name, draw));
  } else {
    command.arguments.push_back(option.name);
    command.arguments.push_back(value_of(option.name, draw));
  }
}

void add_option(RandomCommand& command, const std::string& name, const std::string& value) {
  command.arguments.push_back("--" + name + "=" + value);
}

// Adds what most runs need to get beyond the first complaint, and what keeps others short.
void add_essentials(RandomCommand& command, const std::string& name, Draw& draw) {
  const bool has_topology = name != "list" && name != "bench" && name != "reproduce" &&
                            name != "completion" && name != "schema" && name != "man" &&
                            draw.below(10) != 0;
  if (has_topology) add_option(command, "topology", draw.one_of(plausible().at("--topology")));
  if (name == "bench") {
    add_option(command, "cases", "6-cube uniform 0.2 L16");
    add_option(command, "cycles", std::to_string(1 + draw.below(50)));
  }
  if (name == "reproduce") {
    command.arguments.push_back(draw.one_of(Texts{"robinson-9", "robinson-0", "jeon", "all "}));
    add_option(command, "trials", "1");
  }
  if (name == "replay" && draw.below(4) != 0) command.arguments.emplace_back("sound.txt");
  const bool takes_pattern = name == "run" || name == "sweep" || name == "cosim";
  const bool takes_algorithm = takes_pattern || name == "schedule" || name == "check";
  if (takes_pattern && draw.below(2) == 0) {
    add_option(command, "pattern", draw.one_of(words_of("--pattern")));
    add_option(command, "rate", draw.one_of(plausible().at("--rate")));
    add_option(command, "cycles", draw.one_of(plausible().at("--cycles")));
  } else if (takes_algorithm && draw.below(8) != 0) {
    add_option(command, "algorithm", draw.one_of(words_of("--algorithm")));
    if (!takes_pattern || draw.below(4) != 0) return;
    add_option(command, "collective-rate", draw.one_of(plausible().at("--collective-rate")));
    add_option(command, "cycles", draw.one_of(plausible().at("--cycles")));
  }
}

}  // namespace

RandomCommand random_options(std::uint64_t seed) {
  Draw draw(seed);
  RandomCommand command;
  command.files = {{"sound.toml", sound_scenario},
                   {"sound.jsonl", sound_schedule},
                   {"sound.txt", sound_trace},
                   {"block.jsonl", sound_block()}};
  auto chosen = commands().begin();
  std::advance(chosen, draw.below(static_cast<int>(commands().size())));
  if (draw.below(2) == 0) chosen = commands().find("run");
  const auto& [name, options] = *chosen;
  command.arguments.push_back(name);
  add_essentials(command, name, draw);
  for (int count = draw.below(5); count > 0 && !options.empty(); --count) {
    add_option(command, draw.one_of(options), draw);
  }
  if (draw.below(20) == 0) command.arguments.push_back(draw.one_of(nasty()));
  if (draw.below(30) == 0) command.arguments.push_back("--" + draw.one_of(nasty()));
  if (draw.below(4) == 0) command.arguments.push_back("--json=-");
  command.input = sound_schedule;
  return command;
}

RandomCommand random_files(std::uint64_t seed) {
  Draw draw(~seed);
  RandomCommand command;
  const std::string scenario = draw.one_of(Texts{sound_scenario, sound_pattern, sound_grid});
  const std::string schedule =
      draw.one_of(Texts{sound_schedule, sound_blocks, sound_program, sound_plan});
  command.files = {{"d.toml", damaged(scenario, draw)}, {"d.jsonl", damaged(schedule, draw)}};
  const std::string shape =
      draw.one_of(Texts{"hypercube:1", "hypercube:3", "hypercube:4", "torus:4x4"});
  command.arguments = draw.one_of(
      std::vector<Texts>{{"run", "d.toml"},
                         {"compare", "d.toml", "--algorithms=separate"},
                         {"sweep", "d.toml", "--jobs=1", "--output=out"},
                         {"run", "--topology=" + shape, "--schedule=d.jsonl", "--json=-"},
                         {"check", "--topology=" + shape, "--schedule=d.jsonl", "--json=-"},
                         {"check", "--topology=" + shape, "d.jsonl"},
                         {"replay", "--topology=" + shape, "d.txt", "--model=worm"},
                         {"replay", "--topology=" + shape, "-", "--scale=0.5"},
                         {"replay", "--topology=" + shape, "d", "--model=worm"},
                         {"run", "--topology=" + shape, "--schedule=-", "--model=worm"}});
  const std::string trace = draw.one_of(Texts{sound_trace, sound_goal});
  command.files["d.txt"] = damaged(trace, draw);
  command.files["d.0.et"] = sound_chakra(0);
  command.files["d.1.et"] = damaged(sound_chakra(1), draw);
  command.input = command.files[command.arguments.front() == "replay" ? "d.txt" : "d.jsonl"];
  return command;
}

namespace {

struct Shape {
  std::string name;
  int nodes;
  int dimensions;
};

// Files and lists that name nodes or ranks, for options that `command` has.
void add_named_nodes(RandomCommand& command, const Shape& shape, bool has_ranks, Draw& draw) {
  const auto node = [&] {
    return std::to_string(draw.below(12) == 0 ? draw.below(40) : draw.below(shape.nodes));
  };
  std::string places;
  for (int i = 0; i < shape.nodes; ++i) places += node() + "\n";
  std::string links;
  for (int count = draw.below(4); count > 0; --count) links += node() + "-" + node() + "\n";
  command.files["d.places"] = places;
  command.files["d.links"] = links;
  std::string attributes;
  for (int count = draw.below(4); count > 0; --count) {
    attributes += node() + "," + node() + "," + node() + "," + node() + "\n";
  }
  command.files["d.attributes"] = attributes;
  const auto output = [&] { return node() + "." + std::to_string(draw.below(5)); };
  std::string errors;
  for (int count = draw.below(6); count > 0; --count) {
    errors += output() + "@" + std::to_string(draw.below(60)) + "\n";
  }
  command.files["d.errors"] = errors;
  const auto list = [&] { return node() + "," + node() + "," + node(); };
  Texts options{"--vcs=" + std::to_string(1 + draw.below(4)),
                "--ports=1",
                "--link-attributes=d.attributes",
                "--flit-errors=d.errors",
                "--flit-error-rate=0.1",
                "--lose-credit=" + output() + ".0@+" + std::to_string(draw.below(20))};
  if (has_ranks) {
    options.insert(options.end(), {"--place=d.places", "--place=snake", "--model=worm"});
  } else {
    const Texts operations = words_of("--collective");
    options.insert(
        options.end(),
        {"--source=" + list(), "--source=" + node(), "--destinations=" + list(),
         "--missing-nodes=" + node(), "--missing-links=d.links", "--replan",
         "--missing-links=" + node() + "-" + node(), "--group=" + list(), "--blocks=" + node(),
         "--parts=" + node(), "--join-vcs=" + std::to_string(draw.below(3)),
         "--collective=" + draw.one_of(operations), "--collective=" + draw.one_of(operations)});
  }
  const std::string option = draw.one_of(options);
  const std::string other = draw.one_of(options);
  if (draw.below(2) == 0) command.arguments.push_back(option);
  if (draw.below(4) == 0 && other != option) command.arguments.push_back(other);
}

}  // namespace

RandomCommand random_lines(std::uint64_t seed) {
  Draw draw(seed ^ 0x5555555555555555U);
  RandomCommand command;
  const Shape shape = draw.one_of(std::vector<Shape>{{"hypercube:1", 2, 1},
                                                     {"hypercube:3", 8, 3},
                                                     {"torus:4x4", 16, 2},
                                                     {"torus:2x3x2", 12, 3},
                                                     {"mesh:3x3", 9, 2},
                                                     {"mesh:5", 5, 1},
                                                     {"ring:6", 6, 1}});
  const int ranks = 2 + draw.below(std::min(shape.nodes, 6) - 1);
  const std::string topology = "--topology=" + shape.name;
  switch (draw.below(8)) {
    case 0:
    case 1:
      command.arguments = {"check", topology, "d.jsonl", "--json=-"};
      command.files["d.jsonl"] = random_schedule(draw, shape.nodes, shape.dimensions);
      break;
    case 2:
      command.arguments = {"run", topology, "--schedule=d.jsonl"};
      command.files["d.jsonl"] = random_schedule(draw, shape.nodes, shape.dimensions);
      break;
    case 3:
      command.arguments = {draw.one_of(Texts{"check", "run"}), topology, "--schedule=d.xml"};
      command.files["d.xml"] = random_program(draw, draw.below(3) == 0 ? ranks : shape.nodes);
      break;
    case 4:
      command.arguments = {"run", topology, "--tasks=d.jsonl"};
      command.files["d.jsonl"] = random_tasks(draw, ranks);
      break;
    case 5:
      command.arguments = {"replay", topology, "d.goal"};
      command.files["d.goal"] = random_goal(draw, ranks);
      break;
    case 6:
      command.arguments = {"replay", topology, "d.txt"};
      command.files["d.txt"] = random_actions(draw, ranks);
      break;
    default: {
      command.arguments = {"replay", topology, "d"};
      int rank = 0;
      for (const std::string& file : random_chakra(draw, ranks)) {
        command.files["d." + std::to_string(rank++) + ".et"] = file;
      }
    }
  }
  const bool has_ranks = command.arguments[0] == "replay" || command.arguments[2][2] == 't';
  add_named_nodes(command, shape, has_ranks, draw);
  return command;
}

}  // namespace allport::test
