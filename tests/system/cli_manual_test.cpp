// SPDX-License-Identifier: Apache-2.0
// These tests check manual pages and schemas as commands print them.
#include <gmock/gmock.h>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class CliManual : public Cli {
 protected:
  // The page as a reader sees it.
  std::string page(const std::string& command) const {
    EXPECT_EQ(allport("man " + command + " >page.1").status, 0);
    const Outcome shown = shell("MANWIDTH=100 LC_ALL=C man --warnings -E ascii -l page.1 | col -b");
    EXPECT_THAT(shown.err, IsEmpty()) << command;
    return shown.out;
  }
};

TEST_F(CliManual, ThePageOfTheProgramListsItsCommands) {
  const std::string text = page("");

  EXPECT_THAT(text, HasSubstr("ALLPORT(1)"));
  for (const char* command : {"allport-run(1)", "allport-sweep(1)", "allport-man(1)"}) {
    EXPECT_THAT(text, HasSubstr(command));
  }
  EXPECT_THAT(text, HasSubstr("EXIT STATUS"));
}

// A word in help that begins with a dash, a dot or a quote is not lost in roff.
TEST_F(CliManual, ThePageOfACommandHasEveryOptionOfItsHelp) {
  const std::string commands =
      shell("allport man | sed -n 's/^.fBallport.-\\([a-z]*\\).*/\\1/p'").out;
  std::istringstream names(commands);
  int count = 0;
  for (std::string name; names >> name; ++count) {
    const std::string text = page(name);
    std::istringstream options(
        shell("allport " + name + " --help | grep -o '^  --[a-z-]*' || true").out);
    for (std::string option; options >> option;) EXPECT_THAT(text, HasSubstr(option)) << name;
  }
  EXPECT_GT(count, 14);
  EXPECT_THAT(page("run"), HasSubstr("--buffer-depth FLITS"));
  EXPECT_THAT(page("sweep"), HasSubstr("'random:8;random:16;random:32'"));
}

TEST_F(CliManual, UnknownNamesAreOneSentence) {
  EXPECT_EQ(allport("man runn").err, "allport: unknown command 'runn': did you mean 'run'?\n");
  EXPECT_EQ(allport("schema rum").err, "allport: unknown schema 'rum': did you mean 'run'?\n");
  EXPECT_EQ(
      allport("schema").err,
      "allport: the name of a schema is missing: give one of scenario, grid, declaration, schedule, run, sheet, explain, network, compare, whatif, diff, check, steps, fit, bench, show, reproduce, sweep\n");
  EXPECT_EQ(allport("schema").status, 2);
  EXPECT_EQ(allport("man run sweep").status, 2);
}

}  // namespace
}  // namespace allport::test
