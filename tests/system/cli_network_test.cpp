// SPDX-License-Identifier: Apache-2.0
// `allport network` as another program drives it: by lines, over two ends that may break.
#include <gmock/gmock.h>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using CliNetwork = Cli;

TEST_F(CliNetwork, AnswersLineByLine) {
  const Outcome outcome =
      allport("network --topology torus:4x4 --vcs 2", "send 0 5 64 at 100\nadvance 200\n");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(
      outcome.out,
      "{\"line\":1,\"id\":0}\n"
      "{\"line\":2,\"now\":201,\"deliveries\":[{\"id\":0,\"user\":0,\"source\":0,\"destination\":5,\"port\":3,\"class\":0,\"injected\":100,\"head\":103,\"tail\":118}]}\n");
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST_F(CliNetwork, TellsResultsWhereItRecords) {
  const std::string lines = "send 0 5 64\nadvance 99\nresults\n";
  const Outcome outcome = allport("network --topology torus:4x4 --record", lines);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr(R"("cycles":18,"flit_hops":32,"messages":1,)"));
  EXPECT_THAT(allport("network --topology torus:4x4", lines).out,
              HasSubstr("results: the network keeps no record of its messages"));
}

TEST_F(CliNetwork, RunsOnRoutersWhereItIsToldTo) {
  const std::string lines = "send 0 5 64\nsend 1 5 64\nadvance 99\nresults\n";
  const Outcome routers = allport("network --topology torus:4x4 --record --model systemc", lines);
  const Outcome worms = allport("network --topology torus:4x4 --record", lines);
  EXPECT_EQ(routers.status, 0);
  EXPECT_THAT(routers.out, HasSubstr(R"("model":"systemc")"));
  const std::string model = R"("model":"systemc")";
  std::string renamed = routers.out;
  renamed.replace(renamed.find(model), model.size(), R"("model":"worm")");
  EXPECT_EQ(renamed, worms.out);
  EXPECT_EQ(allport("network --topology hypercube:3 --switching circuit --model systemc",
                    "send 0 7 64\nadvance 99\n")
                .status,
            0);
}

// A node of a graph may have fewer injection channels than links.
TEST_F(CliNetwork, InjectsByThePortsOfANode) {
  write("p.csv", "u,v\na,b\na,c\nb,s\nb,c\n");
  write("p.nodes.csv", "node,processor,ports\na,true,1\nb,true,\nc,true,\ns,false,\n");
  const std::string lines = "send 0 1 64\nsend 0 2 64\nadvance 100\n";
  const Outcome worms = allport("network --topology graph:p.csv", lines);
  EXPECT_THAT(worms.out, HasSubstr(R"("injected":16,"head":18,"tail":33)"));
  EXPECT_EQ(allport("network --topology graph:p.csv --model systemc", lines).out, worms.out);
}

TEST_F(CliNetwork, ExplainsWhereItIsToldTo) {
  const std::string lines = "send 0 5 64\nadvance 99\nexplain slowest:1\n";
  const Outcome outcome = allport("network --topology torus:4x4 --explain", lines);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr(R"("explanation":{"receipts":1,)"));
  EXPECT_THAT(allport("network --topology torus:4x4 --record", lines).out,
              HasSubstr("explain: the network keeps no movement of its flits"));
}

// Those of a run of the same messages, as the timeline is in the same bytes.
TEST_F(CliNetwork, WritesWavesAndATimelineAtTheEnd) {
  const std::string lines = "send 0 5 64\nsend 1 5 64 at 3\nadvance 99\n";
  write("s.jsonl",
        "{\"u\":0,\"v\":5,\"step\":1,\"order\":0,\"flits\":16,\"at\":0}\n"
        "{\"u\":1,\"v\":5,\"step\":1,\"order\":0,\"flits\":16,\"at\":3}\n");
  EXPECT_EQ(allport("run --topology torus:4x4 --schedule s.jsonl --timeline run.csv").status, 0);
  const Outcome worms = allport("network --topology torus:4x4 --timeline worm.csv", lines);
  EXPECT_EQ(worms.status, 0);
  EXPECT_THAT(worms.err, IsEmpty());
  EXPECT_EQ(content("worm.csv"), content("run.csv"));
  const Outcome routers = allport(
      "network --topology torus:4x4 --model systemc --wave w.vcd --wave-nodes 5 --wave-from 2 "
      "--wave-to 30 --timeline flit.csv",
      lines + "results\n");
  EXPECT_EQ(routers.status, 0);
  EXPECT_THAT(routers.err, IsEmpty());
  EXPECT_EQ(content("flit.csv"), content("run.csv"));
  EXPECT_THAT(content("w.vcd"), HasSubstr("$scope module router_5 $end"));
  EXPECT_THAT(content("w.vcd"), Not(HasSubstr("router_4")));
  EXPECT_THAT(content("w.messages.txt"), HasSubstr("1>5 #0"));
  EXPECT_THAT(content("w.gtkw"), HasSubstr("w.vcd"));
}

TEST_F(CliNetwork, RefusesFilesThatItCannotWrite) {
  const std::string torus = "network --topology torus:4x4 ";
  EXPECT_EQ(allport(torus + "--wave w.vcd").err,
            "allport: --wave: worms have no signals to show; give --model systemc, which has\n");
  EXPECT_THAT(allport(torus + "--model systemc --wave w.txt").err,
              HasSubstr("the name must end in .vcd or .fst"));
  EXPECT_THAT(allport(torus + "--wave-to 9").err, HasSubstr("--wave-to needs --wave"));
  EXPECT_THAT(allport(torus + "--model systemc --wave w.vcd --wave-nodes 16").err,
              HasSubstr("wave node 16 is not a node of torus:4x4"));
  EXPECT_THAT(allport(torus + "--timeline no/t.csv").err, HasSubstr("no/t.csv"));
  EXPECT_THAT(allport(torus + "--wave-on slowest").err, HasSubstr("--wave-on"));
  write("e.csv", "a,b\n");
  EXPECT_EQ(allport("network --topology graph:e.csv --timeline e.csv").status, 2);
  EXPECT_EQ(content("e.csv"), "a,b\n");
  const Outcome full = shell("(ulimit -f 8; echo 'send 0 5 64\nadvance 99' | $program " + torus +
                             "--model systemc --wave w.vcd)");
  EXPECT_EQ(full.status, 2);
  EXPECT_THAT(full.err, HasSubstr("it could not be written completely and was removed"));
}

// Each answer is there before the next line is written.
TEST_F(CliNetwork, AnswersBeforeItReadsOn) {
  const Outcome outcome = shell(
      "mkfifo to from && ($program network --topology ring:4 <to >from &) && exec 3>to 4<from && "
      "echo 'send 0 1 16' >&3 && read -r one <&4 && echo \"got $one\" && "
      "printf 'advan' >&3 && echo 'ce 99' >&3 && read -r two <&4 && "
      "echo \"${two%%deliveries*}\"");
  EXPECT_EQ(outcome.out, "got {\"line\":1,\"id\":0}\n{\"line\":2,\"now\":100,\"\n");
}

// A signal ends it as it ends any program; one that only stops it loses nothing.
TEST_F(CliNetwork, IsEndedBySignalsAndGoesOnWhereItWasStopped) {
  const auto after = [&](const std::string& kill) {
    return shell(
               "mkfifo to from && { $program network --topology ring:4 <to >from & } && p=$! && "
               "exec 3>to 4<from && echo 'send 0 1 16' >&3 && read -r one <&4 && " +
               kill + "; wait $p; echo \"status $?\"; rm to from")
        .out;
  };
  EXPECT_EQ(after("kill -TERM $p"), "status 143\n");
  EXPECT_EQ(
      after(
          "kill -STOP $p && echo now >&3 && kill -CONT $p && read -r two <&4 && echo \"$two\" && exec 3>&-"),
      "{\"line\":2,\"now\":0}\nstatus 0\n");
}

TEST_F(CliNetwork, AWrongLineHasItsNumberAndTheStatusIsTwo) {
  const Outcome outcome = allport("network --topology ring:4", "now\nsend 0 0 4\nnow\n");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(
      outcome.out,
      "{\"line\":1,\"now\":0}\n"
      "{\"line\":2,\"error\":\"destination 0: it is the source, and a node keeps what is for itself\"}\n"
      "{\"line\":3,\"now\":0}\n");
}

TEST_F(CliNetwork, ATornLineIsNotObeyed) {
  const Outcome outcome = allport("network --topology ring:4", "now\nadvance 10");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out,
            "{\"line\":1,\"now\":0}\n"
            "{\"line\":2,\"error\":\"the input ends within the line, which is not obeyed\"}\n");
}

TEST_F(CliNetwork, EndsWhenAnEndIsClosed) {
  EXPECT_EQ(allport("network --topology ring:4", "").status, 0);
  EXPECT_EQ(shell("$program network --topology ring:4 <&-").status, 0);
  const Outcome full = shell("yes now | $program network --topology ring:4 >/dev/full");
  EXPECT_EQ(full.status, 2);
  EXPECT_THAT(full.err, HasSubstr("stdout cannot be written"));
  const Outcome gone =
      shell("(yes now | $program network --topology ring:4; echo $? >status) | head -n 1");
  EXPECT_EQ(gone.out, "{\"line\":1,\"now\":0}\n");
}

TEST_F(CliNetwork, RefusesWhatItDoesNotObey) {
  EXPECT_THAT(allport("network --topology ring:4 --ts 5").err, HasSubstr("--ts"));
  EXPECT_THAT(allport("network --topology ring:4 --model rtl").err,
              HasSubstr("model rtl: a network that is driven runs on worms, or on routers"));
  EXPECT_THAT(allport("network").err, HasSubstr("--topology is missing"));
  EXPECT_EQ(allport("network --topology ring:4 --queue-limit 0").status, 2);
  EXPECT_EQ(allport("network --topology ring:4 --combine arrival").status, 2);
}

}  // namespace
}  // namespace allport::test
