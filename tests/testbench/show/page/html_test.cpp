// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/page/html.h"
#include "testbench/show/page/glossary.h"

#include <gmock/gmock.h>

#include "testbench/results/cause.h"
#include "testbench/show/page/page.h"
#include "testbench/show/page/page_parts.h"

namespace allport::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST(Html, ShowsEveryCharacterAsItself) {
  EXPECT_EQ(html_text("a<b>\"&'"), "a&lt;b&gt;&quot;&amp;'");
}

TEST(Html, HasNumbersAtTheRight) {
  HtmlTable table("t", "words & numbers", {"one", "two"});
  table.add({"-1.5e+3", "5>9#0"});
  table.add({"12.5 %", "-"});
  const std::string text = table.take();
  EXPECT_THAT(text, HasSubstr("<caption>words &amp; numbers</caption>"));
  EXPECT_THAT(text, HasSubstr("<td class=\"n\">-1.5e+3</td><td>5&gt;9#0</td>"));
  EXPECT_THAT(text, HasSubstr("<td class=\"n\">12.5 %</td><td>-</td>"));
}

// Names are not cut at the end of a line.
TEST(Html, KeepsNamesTogether) {
  const auto name = [](const std::string& words) {
    return "<span class=\"name\">" + words + "</span>";
  };
  EXPECT_EQ(html_sentence("3 -> all waits for channel 5 -> 4 (dimension 0), held by 5 -> all."),
            name("3 -&gt; all") + " waits for channel " + name("5 -&gt; 4 (dimension 0)") +
                ", held by " + name("5 -&gt; all."));
  EXPECT_EQ(html_sentence("(20 -> 28 (+y, VC 0): 7)"),
            "(" + name("20 -&gt; 28 (+y, VC 0)") + ": 7)");
  EXPECT_EQ(html_sentence("a -> b (whatever)"), name("a -&gt; b") + " (whatever)");
  EXPECT_EQ(html_sentence("with --barrier 0, - and -- too"),
            "with " + name("--barrier") + " 0, - and -- too");
  EXPECT_EQ(html_sentence("`allport whatif --vcs 2` tries <it>"),
            "<code>allport whatif " + name("--vcs") + " 2</code> tries &lt;it&gt;");
  EXPECT_EQ(html_sentence("a ` alone -> "), "a ` alone -&gt; ");
  // The names of a graph's nodes may have backticks.
  EXPECT_EQ(html_sentence("node a`b` and `--vcs 2` of c`"),
            "node a`b` and <code><span class=\"name\">--vcs</span> 2</code> of c`");
  EXPECT_EQ(html_sentence(""), "");
  EXPECT_EQ(html_sentence(" -> x"), " -&gt; x");
}

TEST(Html, SaysWhatRowsAreAbout) {
  HtmlTable table("t", "words", {"one"});
  table.add({"a"}, {{"channel", "5.2"}, {"message", "a>\"b\"#0"}});
  table.add({"b"});
  const std::string text = table.take();
  EXPECT_THAT(
      text, HasSubstr("<tr data-channel=\"5.2\" data-message=\"a&gt;&quot;b&quot;#0\"><td>a</td>"));
  EXPECT_THAT(text, HasSubstr("<tr><td>b</td>"));
}

// In parts/colours.js.
TEST(Page, HasALookForEveryCause) {
  for (const Cause cause : causes()) {
    EXPECT_THAT(std::string(page_scripts),
                ContainsRegex(std::string("[^a-z]") + to_string(cause) + ": \\[\"#"));
  }
}

TEST(Page, ExplainsTheWordsThatItHas) {
  const std::string text = html_glossary("<p>Flits wait for a VC; deadlocks</p>");
  EXPECT_THAT(text, HasSubstr("<td>flit</td><td>flow-control unit"));
  EXPECT_THAT(text, HasSubstr("<td>virtual channel (VC)</td>"));
  EXPECT_THAT(text, HasSubstr("<td>deadlock</td>"));
  EXPECT_THAT(text, Not(HasSubstr("<td>phit")));
  EXPECT_THAT(text, Not(HasSubstr("](")));  // a link of the glossary is no link here
  EXPECT_EQ(html_glossary("flitting about"), "");
}

TEST(Page, KeepsTheKeysOfPapersAndNoReferenceThatLeadsNowhere) {
  const std::string text = html_glossary("Theorem 1, Definition 4, causes, lost, 5&gt;9#0");
  EXPECT_THAT(text, HasSubstr("the criterion for contention freedom of [Robinson93]"));
  EXPECT_THAT(text, HasSubstr("condition of [Hou98] for"));
  EXPECT_THAT(text, HasSubstr("every cycle has one</td>"));  // and not `(explain)`
  EXPECT_THAT(text, HasSubstr("<td>lost</td>"));
  EXPECT_THAT(text, HasSubstr("<td>#0, #N</td>"));
}

TEST(Page, ExplainsTheWordsOfItsWordsAndWhatItNames) {
  const std::string text =
      html_glossary("the root of it", {{"dcf (algorithm)", "as [Hou98] has it"}});
  EXPECT_THAT(text, HasSubstr("<td>root</td><td>the source of a tree worm"));
  EXPECT_THAT(text, HasSubstr("<td>tree worm</td>"));
  EXPECT_THAT(text, HasSubstr("<td>worm</td>"));
  EXPECT_THAT(text, HasSubstr("<td>dcf (algorithm)</td><td>as [Hou98] has it</td>"));
  EXPECT_THAT(text, HasSubstr("<td>[Hou98]</td><td>Y. Hou, C.-M. Wang, L.-H. Hsu: Depth "
                              "Contention-Free Broadcasting on Torus Networks</td>"));
  EXPECT_THAT(text, Not(HasSubstr("<td>[Jeon01]")));
  EXPECT_THAT(html_glossary("flitting about", {{"dcf", "one"}}), HasSubstr("<td>dcf</td>"));
}

// Half of the scripts are for pages of many runs.
TEST(Page, HasTheScriptsOfItsKind) {
  Page page;
  page.data = {{"kind", "run"}};
  const std::string run = html_page(page);
  page.data = {{"kind", "points"}};
  const std::string points = html_page(page);
  EXPECT_THAT(run, Not(HasSubstr("drawers.curves")));
  EXPECT_THAT(points, HasSubstr("drawers.curves"));
  EXPECT_GT(points.size(), run.size() + 40000);
}

TEST(Page, HasDataThatNothingEndsTooEarly) {
  Page page;
  page.title = "<title>";
  page.sections = {{"one", "One & only", html_words("<words>")}};
  page.data = {{"text", "</script><!--"}};
  const std::string text = html_page(page);
  EXPECT_THAT(text, HasSubstr("<title>&lt;title&gt;</title>"));
  EXPECT_THAT(text, HasSubstr("{\"text\":\"\\u003c/script>\\u003c!--\"}"));
  EXPECT_THAT(text, HasSubstr("<h2>One &amp; only</h2>\n<p>&lt;words&gt;</p>"));
  EXPECT_THAT(text, Not(HasSubstr("</script><!--")));
}

}  // namespace
}  // namespace allport::test
