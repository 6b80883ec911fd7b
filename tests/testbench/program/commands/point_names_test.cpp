// SPDX-License-Identifier: Apache-2.0
// Runs that differ in one option, any of the table, have two configurations and two names.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <optional>

#include "testbench/plan/plan_run.h"
#include "testbench/program/commands/sweep_plan.h"
#include "testbench/program/report/results_json.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/support/test_file.h"
#include "tests/testbench/program/options/option_setting.h"

namespace allport {
namespace {

using test::settings;
using Values = std::vector<std::pair<std::string, std::string>>;
using Texts = std::vector<std::string>;

std::string written(const std::string& name, const std::string& text) {
  const std::string path = test::test_file(name);
  std::ofstream(path) << text;
  return path;
}

// A block of which node 0 sends to all others, to `last` at the end.
std::string written_block(const std::string& name, int last) {
  std::string text;
  int order = 0;
  for (int v = 1; v <= 16; ++v) {
    const int node = v == 16 ? last : v;
    if (v == last) continue;
    text += "{\"u\":0,\"v\":" + std::to_string(node) + ",\"step\":" + std::to_string(order + 1) +
            ",\"order\":" + std::to_string(order) + "}\n";
    ++order;
  }
  return written(name, text);
}

// Runs of every kind.
const std::vector<Values>& kinds() {
  static const std::string exchange =
      written("point_names.jsonl",
              "{\"u\":0,\"v\":1,\"step\":1,\"order\":0,\"blocks\":[0,1]}\n"
              "{\"u\":1,\"v\":0,\"step\":1,\"order\":0,\"blocks\":[2,3]}\n");
  static const std::string plain =
      written("point_names_plain.jsonl", "{\"u\":0,\"v\":1,\"step\":1,\"order\":0}\n");
  static const std::string tasks = written("point_names_tasks.jsonl",
                                           "{\"node\":0,\"send\":true,\"to\":1,\"flits\":8}\n"
                                           "{\"node\":1,\"receive\":true,\"from\":0}\n");
  const std::string flows = written("point_names_flows.csv", "0,1,0.5,8\n1,2,0.1,2,5,,3,4\n");
  static const std::vector<Values> list{
      {{"topology", "hypercube:4"}, {"algorithm", "wsort"}},
      {{"topology", "hypercube:4"}, {"algorithm", "sbt-allreduce"}, {"flits", "20"}},
      {{"topology", "torus:4x4"}, {"algorithm", "bucket-allreduce"}, {"flits", "64"}},
      {{"topology", "ring:5"}, {"algorithm", "synthesized-bcast"}},
      {{"topology", "hypercube:3"}, {"algorithm", "join-allreduce"}},
      {{"topology", "hypercube:3"}, {"algorithm", "ucube"}, {"source", "0,5"}},
      {{"topology", "ring:2"}, {"schedule", exchange}, {"collective", "allgather"}, {"parts", "2"}},
      {{"topology", "ring:2"}, {"schedule", exchange}, {"collective", "allreduce"}},
      {{"topology", "ring:2"}, {"schedule", plain}},
      {{"topology", "hypercube:4"}, {"algorithm", "dims-allreduce"}, {"embed", "ring:16"}},
      {{"topology", "hypercube:3"}, {"tasks", tasks}},
      {{"topology", "torus:4x4"}, {"flows", flows}, {"cycles", "90"}},
      {{"topology", "torus:4x4"}, {"pattern", "hotspot"}, {"rate", "0.1"}, {"cycles", "90"}},
      {{"topology", "torus:4x4"}, {"pattern", "uniform"}, {"outstanding", "2"}, {"cycles", "90"}},
      {{"topology", "torus:4x4"},
       {"pattern", "uniform"},
       {"rate", "0.1"},
       {"cycles", "90"},
       {"flits_long", "32"},
       {"long_fraction", "0.5"}},
      {{"topology", "hypercube:3"},
       {"algorithm", "ucube"},
       {"collective_rate", "0.01"},
       {"cycles", "90"}},
      {{"topology", "hypercube:2"},
       {"algorithm", "exchange-alltoall"},
       {"counts", written("point_names_counts.csv", "0,1,2,3\n4,0,6,7\n8,9,0,1\n2,3,4,0\n")}},
      {{"topology", "torus:8x8"},
       {"algorithm", "block"},
       {"block", written_block("point_names_block.jsonl", 15)}},
      {{"topology", "hypercube:3"}, {"algorithm", "ucube"}, {"rtl", "own.sv"}}};
  return list;
}

// Values that mean different runs, for options whose values are not the words of a list.
Texts values_of(const OptionSpec& spec) {
  static const std::map<std::string_view, Texts> table{
      {"topology", {"hypercube:3", "torus:4x4", "torus:2x8", "mesh:4x4", "ring:5"}},
      {"ports", {"1", "2"}},
      {"missing_links", {"0-1", "random:1:3", "0>1"}},
      {"missing_nodes", {"1", "0,3", "random:3:1"}},
      {"replan", {"true"}},
      {"vcs", {"4", "6"}},
      {"buffer_depth", {"5", "64"}},
      {"link_delay", {"1", "2", "3"}},
      {"link_width", {"1", "2"}},
      {"link_attributes",
       {written("names15.csv", "0,1,3\n"), written("names16.csv", "0,1,4\n"),
        written("names17.csv", "0,1,3,2\n")}},
      {"replication_delay", {"1", "2"}},
      {"combine_delay", {"1", "2"}},
      {"route_delay", {"1", "4"}},
      {"vc_delay", {"1", "4"}},
      {"crossbar_delay", {"1", "4"}},
      {"retry", {"true"}},
      {"flit_errors", {"0.0@3", "0.0@4", written("names18.txt", "0.0@3\n0.0@5\n")}},
      {"flit_error_rate", {"0.1", "0.25"}},
      {"bit_error_rate", {"0.001", "0.002"}},
      {"lose_credit", {"0.0.0@3", "0.0.0@4", "0.0.0@+3"}},
      {"join_vcs", {"1", "2"}},
      {"classes", {"2", "4"}},
      {"flits", {"7", "40"}},
      {"bytes", {"7", "100"}},
      {"counts",
       {written("names10.csv", "0,1,2,3\n4,0,6,7\n8,9,0,1\n2,3,4,9\n"),
        written("names11.csv", "0,1,2,3\n4,0,6,7\n8,9,0,1\n2,3,5,0\n"),
        written("names12.csv", "0,1\n1,0\n")}},
      {"flit_bytes", {"1", "8"}},
      {"address_flits", {"1", "2"}},
      {"pieces", {"best", "2", "4", "16"}},
      {"parts", {"1", "2"}},
      {"blocks", {"4", "5"}},
      {"flits_long", {"20", "30"}},
      {"reply_flits", {"3", "30"}},
      {"outstanding", {"1", "5"}},
      {"service", {"1", "9"}},
      {"reception_limit", {"16", "32"}},
      {"long_fraction", {"0", "0.25"}},
      {"ts", {"3", "4"}},
      {"tr", {"3", "4"}},
      {"ts_per_flit", {"1", "2"}},
      {"tr_per_flit", {"1", "2"}},
      {"clock", {"1", "1.5"}},
      {"jitter", {"1", "2"}},
      {"skew", {"1", "2"}},
      {"barrier", {"0", "5", "messages"}},
      {"embed", {"ring:16", "torus:4x4"}},
      {"ranks", {"ring:16", "torus:4x4", "hypercube:4", "8", "16"}},
      {"place", {"gray", "random:7", "snake"}},
      {"group", {"0,1", "0,1,2,3"}},
      {"groups", {"dim:0", "dim:1"}},
      {"ties", {"negative", "alternate", "random:4"}},
      {"schedule",
       {written("names1.jsonl", "{\"u\":0,\"v\":1,\"step\":1,\"order\":0}\n"),
        written("names2.jsonl", "{\"u\":1,\"v\":0,\"step\":1,\"order\":0}\n"),
        written("names3.jsonl", "{\"u\":0,\"v\":1,\"step\":1,\"order\":0,\"at\":3}\n"),
        written("names4.jsonl", "{\"u\":0,\"v\":1,\"step\":1,\"order\":0,\"at\":5}\n")}},
      {"tasks",
       {written("names5.jsonl", "{\"node\":0,\"compute\":8}\n"),
        written("names6.jsonl", "{\"node\":0,\"compute\":9}\n")}},
      {"flows",
       {written("names7.csv", "0,1,0.5,4\n"), written("names8.csv", "0,1,0.5,5\n"),
        written("names9.csv", "0,1,0.5,4,0,9\n")}},
      {"rate", {"0.2", "0.3"}},
      {"collective_rate", {"0.2", "0.3"}},
      {"cycles", {"100", "200"}},
      {"warmup", {"1", "2"}},
      {"hotspot", {"1", "1,2"}},
      {"hotspot_fraction", {"0.2", "0.3"}},
      {"source", {"1", "0,3", "0,2"}},
      {"destinations", {"1,2", "random:2", "1"}},
      {"chain", {"0,1,2", "0,2,1", "5,4"}},
      {"block", {written_block("names13.jsonl", 14), written_block("names14.jsonl", 13)}},
      {"trials", {"2", "3"}},
      {"seed", {"2", "18446744073709551615", "18446744073709551614"}},
      {"no_static", {"true"}},
      {"max_violations", {"1", "7"}},
      {"rtl_nodes", {"0", "random:0.5"}},
      {"rtl", {"own.sv", "other.sv"}},
      {"file_list", {"a.f", "b.f"}},
      {"include", {"a", "b"}},
      {"define", {"A", "B=1"}},
      {"top", {"a", "b"}},
      {"parameter", {"A=1", "A=2"}},
      {"declaration", {"a.toml", "b.toml"}},
      {"all_topologies", {"true"}},
      {"lockstep", {"true"}},
      {"rtl_timeout", {"1", "2"}},
      {"assertions", {"true"}}};
  const auto found = table.find(spec.key);
  if (found != table.end()) return found->second;
  Texts words;
  for (const std::string_view word :
       spec.words == nullptr ? std::vector<std::string_view>{} : spec.words()) {
    if (word.back() != ':') words.emplace_back(word);
  }
  return words;
}

Values having(Values values, std::string_view key, const std::string& text) {
  values.erase(std::remove_if(values.begin(), values.end(),
                              [&](const auto& one) { return one.first == key; }),
               values.end());
  values.emplace_back(key, text);
  return values;
}

// The configuration of a run, with everything planned; none if there is no such run.
std::optional<std::string> config_of_run(const Values& values) {
  try {
    return config_json(allport::plan(merge({}, settings(values)).run)).dump();
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

// The name of a point of a sweep; none if options exclude each other.
std::optional<std::string> name_of_point(const Values& values) {
  GridText grid;
  for (const auto& [key, text] : values) {
    ValueList one;
    one.add(text);
    grid.keys.push_back({&option_named(key), one, ""});
  }
  try {
    return SweepPlan(grid, false).point(0).name;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

// The options that a run may be named by; which algorithms there are is no matter of one run.
std::vector<const OptionSpec*> naming_options() {
  std::vector<const OptionSpec*> list;
  for (const OptionSpec& spec : option_table()) {
    if (!spec.is_output && spec.key != "algorithms") list.push_back(&spec);
  }
  return list;
}

// A point of somebody's router asks Verilator what the router declares.
bool is_in_grids(std::string_view key, const Values& values) {
  const bool is_own =
      std::any_of(values.begin(), values.end(), [](const auto& one) { return one.first == "rtl"; });
  return !is_own && option_named(key).table != "model";
}

std::string in_words(const Values& values) {
  std::string words;
  for (const auto& [key, text] : values) words += "--" + key + " " + text + " ";
  return words;
}

class PointNames : public testing::Test {
 protected:
  // Both have the same options but for `spec`.
  void expect_two(const OptionSpec& spec, const Values& a, const Values& b) {
    const auto first = config_of_run(a);
    const auto second = config_of_run(b);
    if (first && second) {
      ++tried_[spec.key];
      EXPECT_NE(*first, *second) << in_words(a) << "\n" << in_words(b);
    }
    if (!is_in_grids(spec.key, a)) return;
    const auto name = name_of_point(a);
    if (!name) return;
    EXPECT_NE(name, name_of_point(b)) << in_words(a) << "\n" << in_words(b);
  }

  std::map<std::string_view, int> tried_;  // pairs of runs that differ in the option alone
};

TEST_F(PointNames, DifferWhereAnyOptionDoes) {
  constexpr int enough = 12;
  for (const OptionSpec* spec : naming_options()) {
    const Texts values = values_of(*spec);
    ASSERT_FALSE(values.empty()) << spec->key << " needs values in this test";
    for (const Values& kind : kinds()) {
      for (std::size_t i = 0; i < values.size() && tried_[spec->key] < enough; ++i) {
        // What is usual may depend on the fabric, so that saying so is the same run.
        const bool is_usual = values[i] == spec->default_value || spec->key == "routing" ||
                              spec->key == "ports" || spec->key == "parts";
        const bool is_given = std::any_of(kind.begin(), kind.end(),
                                          [&](const auto& one) { return one.first == spec->key; });
        if (!is_usual && !is_given) expect_two(*spec, kind, having(kind, spec->key, values[i]));
        for (std::size_t j = i + 1; j < values.size() && tried_[spec->key] < enough; ++j) {
          expect_two(*spec, having(kind, spec->key, values[i]), having(kind, spec->key, values[j]));
        }
      }
    }
    // The blocks of a file have one right number.
    EXPECT_TRUE(tried_[spec->key] > 0 || spec->key == "blocks")
        << spec->key << " is in no pair of runs";
  }
}

// Of files that keep their names, what is in them counts.
TEST_F(PointNames, DifferWhereAFileHasOtherContents) {
  struct File {
    const char* key;
    const char* prefix;  // before the name in the option's value
    const char* name;
    Values others;
    Texts texts;
  };
  const Values separate{{"algorithm", "separate"}};
  const Values ring{{"topology", "ring:6"}, {"algorithm", "ring-allgather"}};
  const std::string nodes = test::test_file("same.nodes.csv");
  const std::string direct =
      "0,inject,1,0,0\n1,inject,2,0,0\n2,inject,0,0,0\n0,inject,2,1,0\n1,inject,0,1,0\n2,inject,1,1,0\n";
  const std::string around =
      "0,inject,1,1,0\n2,0,1,1,0\n1,inject,2,0,0\n2,inject,0,0,0\n0,inject,2,1,0\n1,inject,0,1,0\n2,inject,1,1,0\n";
  const std::string line = "{\"u\":0,\"v\":1,\"step\":1,\"order\":0";
  for (const File& file :
       {File{"topology",
             "graph:",
             "same.dot",
             separate,
             {"graph { a--b b--c }", "graph { a--b b--c [delay=9] }",
              "graph { a--b b--c [width=2] }", "graph { a--b b--c c--a }",
              "graph { a--b b--c c--d }", "graph { b--a b--c }",
              "graph { a--d b--d c--d d [processor=false] }", "graph { a [group=x] a--b b--c }",
              "graph { x--b b--c }"}},
        File{"topology", "graph:", "same.csv", separate, {"a,b\nb,c\n", "a,b\nb,c,3\n"}},
        File{"routing",
             "table:",
             "same.table",
             {{"topology", "ring:3"}, {"algorithm", "separate"}},
             {direct, around}},
        File{"place", "", "same.place", ring, {"0,1,2,3,4,5\n", "5,1,2,3,4,0\n"}},
        File{"group", "", "same.group", ring, {"0,1,2\n", "0,1,3\n"}},
        File{"groups", "", "same.groups", ring, {"0,1,2\n3,4,5\n", "0,1,3\n2,4,5\n"}},
        File{"missing_links",
             "",
             "same.links",
             {{"topology", "ring:6"}, {"algorithm", "separate"}, {"routing", "table:updown"}},
             {"0-1\n", "2-3\n"}},
        File{"missing_nodes",
             "",
             "same.nodes",
             {{"topology", "ring:6"}, {"algorithm", "separate"}},
             {"1\n", "2\n", "1,2\n"}},
        File{"schedule",
             "",
             "same.jsonl",
             {{"topology", "ring:6"}},
             {line + "}\n", line + ",\"at\":4}\n"}},
        File{"tasks",
             "",
             "same.tasks",
             {{"topology", "ring:6"}},
             {"{\"node\":0,\"compute\":8}\n", "{\"node\":0,\"compute\":9}\n"}},
        File{"flows",
             "",
             "same.flows",
             {{"topology", "ring:6"}, {"cycles", "90"}},
             {"0,1,0.5,4\n", "0,1,0.5,5\n"}},
        File{"counts",
             "",
             "same.counts",
             {{"topology", "hypercube:1"}, {"algorithm", "exchange-alltoall"}},
             {"0,1\n1,0\n", "0,1\n2,0\n"}}}) {
    std::map<std::string, std::string> configs;
    std::map<std::string, std::string> names;
    for (const std::string& text : file.texts) {
      const std::string path = written(file.name, text);
      const Values values = having(file.others, file.key, file.prefix + path);
      const auto config = config_of_run(values);
      const auto name = name_of_point(values);
      ASSERT_TRUE(config && name) << file.name << ": " << text;
      EXPECT_TRUE(configs.emplace(*config, text).second) << file.name << ": " << text << "\n"
                                                         << configs[*config];
      EXPECT_TRUE(names.emplace(*name, text).second) << file.name << ": " << text << "\n"
                                                     << names[*name];
    }
  }
  // So does the file of the nodes beside one.
  const Values listed = having(separate, "topology", "graph:" + written("same.csv", "a,b\nb,c\n"));
  const auto without = name_of_point(listed);
  written("same.nodes.csv", "node,processor\na,true\nb,false\nc,true\n");
  const auto with = name_of_point(listed);
  std::remove(nodes.c_str());
  ASSERT_TRUE(without && with);
  EXPECT_NE(without, with);
}

// The same of runs that have other options, too.
TEST_F(PointNames, DifferWhateverElseIsAskedFor) {
  const test::RandomCases cases(300);
  std::printf("seeds %llu..%llu\n", static_cast<unsigned long long>(cases.first),
              static_cast<unsigned long long>(cases.end - 1));
  const std::vector<const OptionSpec*> all = naming_options();
  for (std::uint64_t seed = cases.first; seed < cases.end && !HasFailure(); ++seed) {
    test::Draw draw(seed);
    Values values = draw.one_of(kinds());
    for (int more = draw.below(3); more > 0; --more) {
      const OptionSpec* other = draw.one_of(all);
      const Values richer = having(values, other->key, draw.one_of(values_of(*other)));
      if (config_of_run(richer)) values = richer;
    }
    const OptionSpec* spec = draw.one_of(all);
    const Texts choice = values_of(*spec);
    const std::string a = draw.one_of(choice);
    const std::string b = draw.one_of(choice);
    if (a != b) expect_two(*spec, having(values, spec->key, a), having(values, spec->key, b));
  }
}

TEST_F(PointNames, AreThoseOfTheRunWhereADefaultIsSpeltOut) {
  int compared = 0;
  for (const OptionSpec* spec : naming_options()) {
    for (const Values& kind : kinds()) {
      const bool is_given = std::any_of(kind.begin(), kind.end(),
                                        [&](const auto& one) { return one.first == spec->key; });
      const Values spelt = having(kind, spec->key, std::string(spec->default_value));
      const bool is_word = spec->default_value.find(' ') == std::string::npos;
      if (is_given || !is_word || spec->default_value.empty() || !config_of_run(spelt)) continue;
      EXPECT_EQ(config_of_run(kind), config_of_run(spelt)) << in_words(spelt);
      if (is_in_grids(spec->key, kind) && spec->key != "model") {
        EXPECT_EQ(name_of_point(kind), name_of_point(spelt)) << in_words(spelt);
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 200);
}

// A sweep knows the number of parts before anything is planned.
TEST_F(PointNames, HaveThePartsThatArePlanned) {
  int compared = 0;
  for (const Algorithm& algorithm : algorithms()) {
    for (const char* topology : {"hypercube:3", "torus:4x4", "ring:5"}) {
      for (const char* parts : {"", "1", "2"}) {
        Values values{{"topology", topology}, {"algorithm", std::string(algorithm.name)}};
        if (*parts != '\0') values.emplace_back("parts", parts);
        std::optional<RunPlan> plan;
        try {
          plan = allport::plan(merge({}, settings(values)).run);
        } catch (const std::invalid_argument&) {
          continue;
        }
        const Json config = config_json(*plan);
        const Collective* goal = plan->trials().front().front().goal.get();
        if (goal == nullptr || algorithm.operation == Operation::bcast) continue;
        EXPECT_EQ(config.at("parts"), goal->part_count()) << in_words(values);
        const Json of_point =
            SweepPlan(merge_grids({}, settings(values), {}), false).point(0).config;
        EXPECT_EQ(of_point.at("parts"), config.at("parts")) << in_words(values);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 100);
}

}  // namespace
}  // namespace allport
