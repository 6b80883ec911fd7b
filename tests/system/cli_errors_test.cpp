// SPDX-License-Identifier: Apache-2.0
// Wrong use gets one sentence on stderr that names what is wrong and what would be right, status 2,
// and nothing on stdout.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* wsort = "run --topology hypercube:4 --algorithm wsort ";
constexpr const char* float_sums =
    "run --topology hypercube:3 --algorithm join-reduce --join-type float32 --combine arrival ";

struct WrongUse {
  const char* name;
  std::string arguments;
  std::string sentence;  // a part of it
};

void PrintTo(const WrongUse& use, std::ostream* out) { *out << use.arguments; }

class CliErrors : public Cli, public testing::WithParamInterface<WrongUse> {};

TEST_P(CliErrors, AreOneSentence) {
  const Outcome outcome = allport(GetParam().arguments);

  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_EQ(outcome.err.substr(0, 9), "allport: ");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
  EXPECT_THAT(outcome.err, HasSubstr(GetParam().sentence));
}

std::string name_of(const testing::TestParamInfo<WrongUse>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Words, CliErrors,
    testing::Values(
        WrongUse{"NoCommand", "", "a command is missing: choose one of list, run, "},
        WrongUse{"Command", "rnu", "unknown command 'rnu': did you mean 'run'?"},
        WrongUse{"Option", "run --topolgy ring:4",
                 "unknown option '--topolgy': did you mean '--topology'?"},
        WrongUse{"OptionOfTheProgram", "--versoin",
                 "unknown option '--versoin': did you mean '--version'?"},
        WrongUse{"OptionBeforeTheCommand", "--flits 3 run --topology ring:4",
                 "unknown option '--flits'"},
        WrongUse{
            "OptionOfAnotherCommand", "compare --topology ring:4 --schedule x",
            "unknown option '--schedule' of `compare`: `run`, `explain`, `whatif`, `show`, `check`, `sweep` and `cosim` have it"},
        WrongUse{"OptionOfAnotherCommandNearOneHere", "compare --topology ring:4 --algorithm ring",
                 "have it; did you mean '--algorithms'?"},
        WrongUse{"OptionOfOneCommand", "run --topology ring:4 --rtl-nodes 1",
                 "unknown option '--rtl-nodes' of `run`: `cosim` has it"},
        WrongUse{"OptionOfNobody", "run --topology ring:4 --quux 1",
                 "unknown option '--quux' of `run`: see `allport run --help`"},
        WrongUse{
            "SetsWithCommas",
            "sweep --topology ring:8 --algorithm separate --destinations random:2,random:3",
            "--destinations: 'random:2,random:3' is not one set of destinations: a comma separates nodes; `sweep` takes several sets, separated by semicolons as in 'random:2;random:3'"},
        WrongUse{"Argument", "list all", "'all' is one argument too many for `list`"},
        WrongUse{"Algorithm", "run --topology hypercube:4 --algorithm wsrt",
                 "unknown algorithm 'wsrt': did you mean 'wsort'?"},
        WrongUse{"Pattern", "run --topology hypercube:4 --pattern unifrom --rate 1 --cycles 1",
                 "unknown pattern 'unifrom': did you mean 'uniform'?"},
        WrongUse{"Check", "check --topology hypercube:4 --algorithm wsort --require theorem2",
                 "unknown check 'theorem2': did you mean 'theorem1'?"},
        WrongUse{"Switching", wsort + std::string("--switching circus"),
                 "unknown switching mode 'circus': did you mean 'circuit'?"},
        WrongUse{"CompareModel", "compare --topology ring:4 --model rtl",
                 "--model rtl: compare simulates on systemc or worm"},
        WrongUse{"CompareRtlNodes", "compare --topology ring:4 --rtl-nodes 1",
                 "unknown option '--rtl-nodes'"},
        WrongUse{"Model", wsort + std::string("--model worms"), "unknown model 'worms'"},
        WrongUse{"Routing", wsort + std::string("--routing adaptiv"),
                 "unknown routing 'adaptiv': did you mean 'adaptive'?"},
        WrongUse{"AdaptiveTorus", "run --topology torus:4x4 --algorithm dcf --routing adaptive",
                 "torus:4x4 takes dimension-ordered only"},
        WrongUse{"AdaptiveTree", "run --topology hypercube:3 --algorithm tree --routing adaptive",
                 "routing adaptive is for unicasts only, and this is a tree message"},
        WrongUse{"AdaptiveWithoutEscape", wsort + std::string("--routing adaptive --vcs 1"),
                 "wait for each other in a cycle: 0 -> 1 (dimension 0), 1 -> 3 (dimension 1), "},
        WrongUse{"AdaptiveWorms", wsort + std::string("--routing adaptive --model worm"),
                 "adaptive routing; the models systemc and rtl support it"},
        WrongUse{"CircuitTree", "run --topology hypercube:3 --algorithm tree --switching circuit",
                 "switching circuit is for unicasts only, and this is a tree message"},
        WrongUse{
            "StoredAndHeldTrees",
            "run --topology hypercube:3 --algorithm tree --switching store-and-forward --flits 4 --replication-delay 2 --model worm",
            "--model worm: it does not have both --replication-delay and store-and-forward switching for tree worms; the models systemc and rtl have them"},
        WrongUse{
            "CombineOnWorms", float_sums + std::string("--model worm"),
            "allport: --model worm: it combines nothing where contributions meet, so it has no --combine arrival; the model systemc has it\n"},
        WrongUse{
            "CombineInRtl", float_sums + std::string("--model rtl"),
            "allport: --model rtl: routers in RTL combine what joins bring in the order of ports only; --combine arrival is for the model systemc\n"},
        WrongUse{"CombineNothing", wsort + std::string("--combine arrival"),
                 "allport: --combine arrival: it is for runs with joins, and this one has none\n"},
        WrongUse{"CombineOrder", wsort + std::string("--combine arrivals"),
                 "unknown order of combining 'arrivals'"},
        WrongUse{
            "RtlOursOnWorms", wsort + std::string("--rtl ours --model worm"),
            "allport: --rtl ours: --model worm runs no routers in RTL; leave --rtl out, or choose --model rtl\n"},
        WrongUse{"CutThroughBuffer", wsort + std::string("--switching cut-through --flits 17"),
                 "a buffer of 4 flits cannot hold a message of 17"},
        WrongUse{
            "CutThroughBufferOfAPattern",
            "run --topology ring:4 --pattern uniform --rate 0.1 --cycles 10 --flits 5 --switching cut-through",
            "a buffer of 4 flits cannot hold a message of 5"},
        WrongUse{"CutThroughBufferOfAFit",
                 "fit --topology ring:4 --sizes 4,6 --switching cut-through",
                 "a buffer of 4 flits cannot hold a message of 6"},
        WrongUse{
            "CutThroughBufferOfCosim",
            "cosim --topology hypercube:3 --algorithm exchange-scatter --flits 1 --switching cut-through --buffer-depth 3",
            "a buffer of 3 flits cannot hold a message of 4"},
        WrongUse{"CutThroughBufferOfCompare",
                 "compare --topology hypercube:4 --switching cut-through --pieces 3",
                 "a buffer of 4 flits cannot hold a message of 6"},
        WrongUse{
            "StoreAndForwardLongMessages",
            "run --topology ring:4 --pattern uniform --rate 0.1 --cycles 10 --flits 4 --flits-long 9 --long-fraction 0.5 --switching store-and-forward",
            "a buffer of 4 flits cannot hold a message of 9"},
        WrongUse{"NoValue", wsort + std::string("--flits"), "--flits needs a value"},
        WrongUse{"OptionForValue", wsort + std::string("--flits --ts 3"),
                 "--flits needs a value, but --ts follows"},
        WrongUse{"EmptyValue", wsort + std::string("--flits="), "--flits needs a value"},
        WrongUse{"Twice", wsort + std::string("--flits 3 --flits 4"), "--flits is given twice"},
        WrongUse{"FlagTwice", wsort + std::string("--strict --strict"), "--strict is given twice"},
        WrongUse{"VersionWithValue", "--version=3", "--version takes no value"},
        WrongUse{"VersionAndMore", "--version extra",
                 "'extra' is one argument too many for `allport --version`"},
        WrongUse{"HelpWithValue", "--help=3", "--help takes no value"},
        WrongUse{"HelpOfACommandWithValue", "run --help=3", "--help takes no value"},
        WrongUse{"HelpOfNoCommand", "--help extra",
                 "unknown command 'extra': choose one of help, list, run, compare, explain, "},
        WrongUse{"HelpCommandOfNoCommand", "help rnu",
                 "unknown command 'rnu': did you mean 'run'?"},
        WrongUse{"HelpOfTwoCommands", "help run sweep",
                 "'sweep' is one argument too many for `help`"},
        WrongUse{"HelpAndAnArgument", "list --help extra",
                 "'extra' is one argument too many for `list`"},
        WrongUse{"NothingNear", "run --topology hypercube:4 --algorithm foo",
                 "unknown algorithm 'foo': choose one of ucube, "},
        WrongUse{"CommandThatIsNotNear", "foo", "unknown command 'foo': choose one of help, "},
        WrongUse{"Shell", "completion fish", "choose one of bash, zsh"},
        WrongUse{"BenchCyclesOfACollective", "bench --cases wsort --cycles 9",
                 "--cycles: none of the chosen cases is a pattern"},
        WrongUse{"BenchModels", "bench --cases wsort --models rtl",
                 "--models: none of these is measured in the chosen cases"},
        WrongUse{"BenchCase", "bench --cases 7-cube", "6-cube uniform 0.05"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Numbers, CliErrors,
    testing::Values(
        WrongUse{"FlitsZero", wsort + std::string("--flits 0"),
                 "--flits: '0' is not a whole number in 1..1000000"},
        WrongUse{"FlitsNegative", wsort + std::string("--flits -3"),
                 "--flits: '-3' is not a whole number in 1..1000000"},
        WrongUse{"FlitsFloat", wsort + std::string("--flits 1e9"),
                 "--flits: '1e9' is not a whole number in 1..1000000"},
        WrongUse{"TsHuge", wsort + std::string("--ts 99999999999999999999"),
                 "is not a whole number in 0..1000000000"},
        WrongUse{"BufferDepth", wsort + std::string("--buffer-depth 0"),
                 "--buffer-depth: '0' is not a whole number in 1..4096"},
        WrongUse{"FlitBytes", wsort + std::string("--bytes 8 --flit-bytes 65"),
                 "'65' is not a length of 1..64 bytes"},
        WrongUse{"WideFlits", wsort + std::string("--flit-bytes 65"),
                 "'65' is not a length of 1..64 bytes"},
        WrongUse{"LinkDelays", wsort + std::string("--link-delay 1,2"),
                 "link delay: 2 are given, but hypercube:4 has 4 dimensions"},
        WrongUse{"LinkDelaysOfAPlan",
                 "schedule --topology ring:8 --algorithm separate --pieces best --link-delay 1,2",
                 "link delay: 2 are given, but ring:8 has 1 dimension; give one for all"},
        WrongUse{"LinkDelaysHuge", wsort + std::string("--link-delay 1,2000,1,1"),
                 "--link-delay: '2000' is not a whole number in 0..1024"},
        WrongUse{"Ports", wsort + std::string("--ports 5"), "so it must be 1..4 or all"},
        WrongUse{"PortsZero", wsort + std::string("--ports 0"), "so it must be 1..4 or all"},
        WrongUse{"PortsOfSteps", "steps --topology hypercube:4 --ports 5",
                 "so it must be 1..4 or all"},
        WrongUse{"Rate", "run --topology ring:4 --pattern uniform --rate 17 --cycles 9",
                 "--rate 17: must be 0..16"},
        WrongUse{"Trials", wsort + std::string("--trials 0"), "--trials: '0'"},
        WrongUse{"Sizes", "steps --topology hypercube:4 --sizes 16",
                 "--sizes 16: hypercube:4 has 1..15 destinations"},
        WrongUse{"Exhaustive", "steps --topology hypercube:6 --trials exhaustive",
                 "the limit is 10000000"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Fabrics, CliErrors,
    testing::Values(
        WrongUse{"None", "run --algorithm wsort", "--topology is missing"},
        WrongUse{"Kind", "run --topology cube:4 --algorithm wsort",
                 "expected hypercube:N, torus:KxK[xK..], mesh:KxK[xK..], ring:K or graph:FILE"},
        WrongUse{"SideOne", "run --topology torus:1x4 --algorithm dcf",
                 "every side must be at least 2"},
        WrongUse{"CubeZero", "run --topology hypercube:0 --algorithm wsort",
                 "the dimension must be 1..20"},
        WrongUse{"CubeForty", "run --topology hypercube:40 --algorithm wsort",
                 "the dimension must be 1..20"},
        WrongUse{"RoutingOfATorus", "run --topology torus:4x4 --algorithm dcf --routing ascending",
                 "takes dimension-ordered only"},
        WrongUse{"Deadlock", "run --topology ring:8 --algorithm separate --vcs 1",
                 "can deadlock because its channels wait for each other in a cycle: 0 -> 1 (+x), "},
        WrongUse{"OddVcs", "run --topology ring:8 --algorithm separate --vcs 3", "vcs 3"},
        WrongUse{"AlgorithmOfATorus", wsort + std::string("--topology hypercube:5"),
                 "--topology is given twice"},
        WrongUse{"HkOnATorus", "run --topology torus:4x4 --algorithm hk",
                 "algorithm hk is for hypercubes; torus:4x4 is not one"},
        WrongUse{"EdnOnARectangle", "check --topology torus:8x4 --algorithm edn",
                 "algorithm edn is for 2^d x 2^d tori; torus:8x4 is not one"},
        WrongUse{"TsengOnARing", "schedule --topology ring:9 --algorithm tseng",
                 "algorithm tseng is for two-dimensional tori; ring:9 is not one"},
        WrongUse{"StepRule", wsort + std::string("--steps awre"),
                 "unknown step rule 'awre': did you mean 'aware'?"},
        WrongUse{"StepRuleOfPhases", "run --topology hypercube:4 --algorithm hk --steps aware",
                 "algorithm hk has its steps fixed by phases"},
        WrongUse{"StepRuleOfASchedule", "check --topology ring:4 --schedule - --steps aware",
                 "--steps and --schedule exclude each other"},
        WrongUse{"AlgorithmElsewhere", "run --topology hypercube:4 --algorithm dcf",
                 "algorithm dcf is for 2^d x 2^d tori"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Nodes, CliErrors,
    testing::Values(
        WrongUse{"Source", wsort + std::string("--source 16"),
                 "source 16 is not a node of hypercube:4, which has the nodes 0..15"},
        WrongUse{"SourceTwice", wsort + std::string("--source 0,0"), "source 0 is named twice"},
        WrongUse{"Destination", wsort + std::string("--destinations 16"),
                 "destination 16 is not a node of hypercube:4, which has the nodes 0..15"},
        WrongUse{"DestinationTwice", wsort + std::string("--destinations 5,5"),
                 "destination 5 is named twice"},
        WrongUse{"DestinationIsSource", wsort + std::string("--destinations 0"),
                 "destination 0 is the source"},
        WrongUse{"NoDestination", wsort + std::string("--destinations ''"), "the list is empty"},
        WrongUse{"TrailingComma", wsort + std::string("--destinations 1,"), "'1,' has a comma"},
        WrongUse{"RandomNone", wsort + std::string("--destinations random:0"), "1..15"},
        WrongUse{"RandomTooMany", wsort + std::string("--destinations random:16"), "1..15"},
        WrongUse{"BinaryOnATorus", "run --topology torus:4x4 --algorithm dcf --source 0b1",
                 "binary numbers name nodes of a hypercube"},
        WrongUse{"BroadcastOnly", "run --topology hypercube:4 --algorithm tree --destinations 1",
                 "it takes the destinations 'all' only"},
        WrongUse{"SourcesOfASchedule",
                 "schedule --topology hypercube:4 --algorithm wsort --source 1,2",
                 "--source names 2 nodes"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Combinations, CliErrors,
    testing::Values(
        WrongUse{"NoTraffic", "run --topology hypercube:4",
                 "nothing to run: give --algorithm, --schedule, --tasks, --pattern or --flows"},
        WrongUse{"NothingToCheck", "check --topology hypercube:4", "nothing to check"},
        WrongUse{"RateOfAnAlgorithm", wsort + std::string("--rate 0.1"),
                 "--rate and --algorithm exclude each other"},
        WrongUse{"WaveFrom", wsort + std::string("--wave-from 3"), "--wave-from needs --wave"},
        WrongUse{"WaveOrder", wsort + std::string("--wave x.vcd --wave-from 3 --wave-to 2"),
                 "--wave-to 2: must be --wave-from 3 or later"},
        WrongUse{"WaveNode", wsort + std::string("--wave x.vcd --wave-nodes 16"),
                 "wave node 16 is not a node"},
        WrongUse{"WaveOfTrials", wsort + std::string("--wave x.vcd --trials 2"),
                 "cannot be combined with --trials 2"},
        WrongUse{"WaveEnding", wsort + std::string("--wave x.txt"), "must end in .vcd or .fst"},
        WrongUse{"WaveOnWithoutAFile", wsort + std::string("--wave-on slowest"),
                 "--wave-on needs --wave"},
        WrongUse{"WaveMargin", wsort + std::string("--wave x.vcd --wave-margin 5"),
                 "--wave-margin needs --wave-on"},
        WrongUse{"WaveOnNodes",
                 wsort + std::string("--wave x.vcd --wave-on slowest --wave-nodes 1"),
                 "--wave-on and --wave-nodes exclude each other"},
        WrongUse{"WaveOnFrom", wsort + std::string("--wave x.vcd --wave-on slowest --wave-from 1"),
                 "--wave-on and --wave-from exclude each other"},
        WrongUse{"WaveOnTo", wsort + std::string("--wave x.vcd --wave-on slowest --wave-to 1"),
                 "--wave-on and --wave-to exclude each other"},
        WrongUse{
            "WaveOnWhat", wsort + std::string("--wave x.vcd --wave-on message:5"),
            "--wave-on: 'message:5' must be contention:N, deadlock, slowest, or a message by sender, receiver and place in the sender's program, such as message:5>9#0"},
        WrongUse{"WaveOnNoEvent", wsort + std::string("--wave x.vcd --wave-on contention:0"),
                 "--wave-on: '0' is not a whole number in 1..1000000000"},
        WrongUse{"WaveOnEnding", wsort + std::string("--wave x.txt --wave-on slowest"),
                 "must end in .vcd or .fst"},
        WrongUse{"WaveOnOfTrials", wsort + std::string("--wave x.vcd --wave-on slowest --trials 2"),
                 "cannot be combined with --trials 2"},
        WrongUse{"WaveOnOfWorms",
                 wsort + std::string("--wave x.vcd --wave-on slowest --model worm"),
                 "--wave: the model worm has no signals to show"},
        WrongUse{"WaveOnOfASweep",
                 "sweep --topology hypercube:3 --algorithm wsort --wave-on slowest",
                 "unknown option '--wave-on'"},
        WrongUse{"WaveOnResults", wsort + std::string("--wave x.vcd --json ./x.gtkw"),
                 "--json ./x.gtkw: --wave is written into that file"},
        WrongUse{"StrictWithValue", wsort + std::string("--strict=no"), "--strict takes no value"},
        WrongUse{"BytesAndFlits", wsort + std::string("--bytes 8 --flits 2"),
                 "--flits and --bytes exclude each other"},
        WrongUse{"BarrierOfASchedule", "run --topology ring:4 --schedule none --barrier 3",
                 "--schedule and --barrier exclude each other"},
        WrongUse{"TrialsOfAPattern",
                 "run --topology ring:4 --pattern uniform --rate 1 --cycles 9 --trials 2",
                 "--pattern and --trials exclude each other"},
        WrongUse{"CheckOfAPattern",
                 "run --topology ring:4 --pattern uniform --rate 1 --cycles 9 --no-static",
                 "--pattern and --no-static exclude each other"},
        WrongUse{"ViolationsOfNoCheck", wsort + std::string("--no-static --max-violations 5"),
                 "--no-static and --max-violations exclude each other"},
        WrongUse{
            "BarrierOfOneSource", wsort + std::string("--barrier 5"),
            "--barrier 5: it stands between the collectives of several sources, and there is one; name several nodes with --source, or leave --barrier out"},
        WrongUse{"BarrierOfMessagesOfOneSource",
                 wsort + std::string("--source 3 --barrier messages"),
                 "--barrier messages: it stands between the collectives of several sources"},
        WrongUse{"LoadsOnStdout",
                 "run --topology ring:4 --pattern uniform --rate 1 --cycles 9 --channel-load -",
                 "--channel-load: '-' must be the name of a file"},
        WrongUse{
            "LoadsOnResults",
            "run --topology ring:4 --pattern uniform --rate 1 --cycles 9 --channel-load x --json ./x",
            "--channel-load x: --json is written into that file"},
        WrongUse{
            "ExplainedWormsOfAPath",
            "run --topology hypercube:4 --algorithm hamiltonian --model worm --explain all",
            "--model worm: it explains the latencies of unicasts only, and this run has path worms"},
        WrongUse{
            "ExplainedWormsOfATree",
            "run --topology hypercube:4 --algorithm tree --model worm --explain all",
            "--model worm: it explains the latencies of unicasts only, and this run has tree worms; --model systemc explains them"},
        WrongUse{"WavesOfWorms", wsort + std::string("--model worm --wave x.vcd"),
                 "--wave: the model worm has no signals to show"},
        WrongUse{"RoutersOfALargeCube", "run --topology hypercube:19 --algorithm sbt",
                 "the model systemc takes up to 262144 and --model worm up to 1048576"},
        WrongUse{
            "WormsOfACompare",
            "compare --topology hypercube:3 --algorithms sbt,hamiltonian --model worm --explain all",
            "--model worm: it explains the latencies of unicasts only, and this run has path worms; --model systemc explains them"},
        WrongUse{"WarmupOfCompare", "compare --topology ring:4 --warmup 3",
                 "--warmup needs --pattern, --flows or --collective-rate"},
        WrongUse{"PatternAlone", "run --topology ring:4 --pattern uniform",
                 "--pattern needs --rate"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Files, CliErrors,
    testing::Values(
        WrongUse{"EndlessScenario", "run /dev/zero", "the scenario /dev/zero has more than 16 MiB"},
        WrongUse{"EndlessSchedule", "run --topology ring:4 --schedule /dev/zero",
                 "/dev/zero:1: the line has more than a million characters"},
        WrongUse{"SecondScenario", "run a.toml b.toml", "'b.toml' is one argument too many"},
        WrongUse{"EmptyScenario", "run '' --topology ring:4", "SCENARIO of `run` is an empty word"},
        WrongUse{"SlipForAnother", "compare --rat 3", "did you mean '--rate'?"},
        WrongUse{"TableOfAWaveOnResults", wsort + std::string("--wave w.fst --json w.fst.hier"),
                 "--json w.fst.hier: --wave is written into that file"},
        WrongUse{"Scenario", "run none.toml", "the scenario none.toml cannot be read"},
        WrongUse{"Schedule", "run --topology ring:4 --schedule none",
                 "the schedule none cannot be read"},
        WrongUse{"JsonFolder", wsort + std::string("--json none/x.json"),
                 "none/x.json cannot be written: No such file or directory"},
        WrongUse{"JsonIsFolder", wsort + std::string("--json ."), ". cannot be written"},
        WrongUse{"WaveFolder", wsort + std::string("--wave none/x.vcd"), "none/x.vcd"},
        WrongUse{"CompareJson", "compare --topology ring:4 --json none/x.json", "none/x.json"},
        WrongUse{"BenchJson", "bench --json none/x.json", "none/x.json"}),
    name_of);

// A file that cannot be read is told with the reason, whatever reads it.
class CliUnreadable : public Cli, public testing::WithParamInterface<std::string> {};

TEST_P(CliUnreadable, IsToldWithItsReason) {
  const Outcome outcome = allport(GetParam());
  EXPECT_EQ(outcome.status, 2) << outcome.out;
  EXPECT_THAT(outcome.err, testing::HasSubstr("nowhere"));
  EXPECT_THAT(outcome.err, testing::HasSubstr(" cannot be read: No such file or directory"));
}

INSTANTIATE_TEST_SUITE_P(
    Files, CliUnreadable,
    testing::Values("run nowhere.toml", "sweep nowhere.toml",
                    "run --topology ring:4 --schedule nowhere",
                    "run --topology ring:4 --tasks nowhere",
                    "run --topology ring:4 --flows nowhere --cycles 9",
                    "check --topology ring:4 nowhere",
                    "run --topology ring:4 --algorithm direct-alltoall --counts nowhere",
                    "run --topology torus:4x4 --algorithm block --block nowhere",
                    "run --topology graph:nowhere.csv --algorithm separate",
                    "run --topology ring:4 --algorithm separate --routing table:nowhere.csv",
                    "run --topology ring:4 --algorithm separate --place nowhere",
                    "run --topology ring:4 --algorithm separate --missing-links nowhere",
                    "run --topology ring:4 --algorithm separate --missing-nodes nowhere",
                    "run --topology ring:4 --algorithm separate --flit-errors nowhere",
                    "replay nowhere.goal --topology ring:4", "diff nowhere nowhere"));

}  // namespace
}  // namespace allport::test
