// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/figure_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/quote.h"
#include "testbench/files/gnuplot.h"
#include "testbench/files/whole_file.h"

namespace allport {

namespace {

// gnuplot reads its commands from a file.
std::string drawn(const Picture& picture, const ResultStore& store, std::string_view name) {
  if (picture.gnuplot.empty()) return picture.svg;
  const std::string script = fmt::format("{}/{}.gnuplot", store.folder(), name);
  write_whole(store.partial_folder(), script, picture.gnuplot);
  return drawn_by_gnuplot(script);
}

Json json_of(const MadeFigure& made, const FigureRequest& request) {
  Json rows = Json::array();
  for (const auto& cells : made.result.table.cells()) rows.push_back(cells);
  return {{"figure", made.figure->name},
          {"title", made.figure->title},
          {"source", made.figure->source},
          {"judged_by", made.figure->judged_by},
          {"version", request.version},
          {"models", request.models},
          {"trials", request.trials ? Json(*request.trials) : Json("as the paper has")},
          {"seed", request.seed},
          {"columns", made.result.table.columns()},
          {"rows", rows},
          {"claims", claims_json(made.result.claims)},
          {"notes", made.result.notes},
          {"digests", made.result.digests}};
}

std::string section(const MadeFigure& made) {
  const Figure& figure = *made.figure;
  std::string text = fmt::format("## {0}\n\n{1} [{2}].\n\n![{1}]({0}.svg)\n\n", figure.name,
                                 figure.title, figure.source);
  if (!figure.judged_by.empty()) text += fmt::format("Judged by {}.\n\n", figure.judged_by);
  for (const std::string& note : made.result.notes) text += note + "\n\n";
  constexpr std::size_t readable = 25;
  if (made.result.page_table.rows() > 0) {
    text += made.result.page_table.markdown() + "\n";
  } else if (made.result.table.rows() <= readable) {
    text += made.result.table.markdown() + "\n";
  }
  text += claims_markdown(made.result.claims);
  for (const auto& [model, digest] : made.result.digests) {
    text += fmt::format("\nDigest of all runs, `--model {}`: `{}`.\n", model, digest);
  }
  return text;
}

}  // namespace

std::vector<MadeFigure> figures_in_folder(const std::vector<Figure>& figures,
                                          const ResultStore& store,
                                          const std::function<void(const std::string&)>& say) {
  std::vector<MadeFigure> made;
  for (const Figure& figure : figures) {
    const std::string path = fmt::format("{}/{}.json", store.folder(), figure.name);
    std::ifstream file(path);
    if (!file) continue;
    try {
      const Json json = Json::parse(file);
      if (json.at("figure") != figure.name) throw std::invalid_argument("another figure");
      MadeFigure one{&figure, {}};
      one.result.claims = claims_of_json(json.at("claims"));
      made.push_back(std::move(one));
    } catch (const std::exception&) {
      say(fmt::format(
          "{} is left out of claims.md and passages.md: it does not have the claims of {} as `allport reproduce` writes them",
          shown_path(path), figure.name));
    }
  }
  return made;
}

std::vector<std::string> write_figure(const MadeFigure& made, const FigureRequest& request,
                                      const ResultStore& store) {
  const std::string path = fmt::format("{}/{}", store.folder(), made.figure->name);
  std::vector<std::string> written;
  const auto write = [&](const char* ending, const std::string& content) {
    write_whole(store.partial_folder(), path + ending, content);
    written.push_back(path + ending);
  };
  write(".csv", made.result.table.csv());
  write(".svg", drawn(made.result.picture, store, made.figure->name));
  write(".json", json_of(made, request).dump(1) + "\n");
  write(".md", section(made));
  return written;
}

std::string claims_overview(const std::vector<MadeFigure>& made) {
  std::string text;
  for (const MadeFigure& one : made) {
    for (const Claim& claim : one.result.claims) {
      text += fmt::format("{:<17} {:<14}  {}\n", one.figure->name, to_string(claim.outcome),
                          claim.text);
    }
  }
  return text;
}

std::string claims_page(const std::vector<MadeFigure>& made) {
  std::string text = tally(all_claims(made)) + ".\n";
  std::string names;
  for (const MadeFigure& one : made) {
    names += (names.empty() ? "" : ", ") + std::string(one.figure->name);
  }
  text += "\nFigures: " + names + ".\n";
  for (const bool is_own : {false, true}) {
    text += fmt::format("\n| figure | {} | |\n|---|---|---|\n",
                        is_own ? "property of allport" : "claim");
    for (const MadeFigure& one : made) {
      for (const Claim& claim : one.result.claims) {
        if (claim.is_own() != is_own) continue;
        text += fmt::format("| [{0}](#{0}) | {1} | {2} |\n", one.figure->name,
                            markdown_cell(claim.text), verdict_in_markdown(claim.outcome));
      }
    }
  }
  return text;
}

std::string passages_page(const std::vector<MadeFigure>& made) {
  std::vector<std::pair<Quotation, std::string>> passages;  // and the rows of its claims
  const auto rows_of = [&](const Quotation& passage) -> std::string& {
    const auto is_it = [&](const auto& one) {
      return one.first.place == passage.place && one.first.words == passage.words;
    };
    const auto found = std::find_if(passages.begin(), passages.end(), is_it);
    if (found != passages.end()) return found->second;
    return passages.emplace_back(passage, "").second;
  };
  for (const MadeFigure& one : made) {
    for (const Claim& claim : one.result.claims) {
      if (claim.is_own()) continue;
      const std::string why = claim.why.empty() ? "" : ". " + claim.why;
      rows_of(claim.source) +=
          fmt::format("| {} | {}{} | [{}](#{}) | {} | {} |\n", markdown_cell(claim.text),
                      markdown_cell(claim.measured), markdown_cell(why), one.figure->name,
                      one.figure->name, one.figure->judged_by, verdict_in_markdown(claim.outcome));
    }
  }
  std::string text;
  for (const auto& [passage, rows] : passages) {
    text += fmt::format(
        "{}**{}**: \"{}\"\n\n| claim | measured | in | by | |\n|---|---|---|---|---|\n{}",
        text.empty() ? "" : "\n", passage.place, passage.words, rows);
  }
  return text;
}

Claims all_claims(const std::vector<MadeFigure>& made) {
  Claims claims;
  for (const MadeFigure& one : made) {
    claims.insert(claims.end(), one.result.claims.begin(), one.result.claims.end());
  }
  return claims;
}

}  // namespace allport
