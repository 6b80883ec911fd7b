// SPDX-License-Identifier: Apache-2.0
#include "testbench/reproduce/figure_files.h"

#include <fmt/format.h>

#include <fstream>
#include <utility>

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

// The figures with their claims only.
std::vector<MadeFigure> figures_in(const std::vector<Figure>& figures, const ResultStore& store) {
  std::vector<MadeFigure> made;
  for (const Figure& figure : figures) {
    std::ifstream file(fmt::format("{}/{}.json", store.folder(), figure.name));
    const Json json = Json::parse(file, nullptr, false);
    try {
      MadeFigure one{&figure, {}};
      one.result.claims = claims_of_json(json.at("claims"));
      made.push_back(std::move(one));
    } catch (const Json::exception&) {
      continue;  // the file is missing, or this program did not write it
    }
  }
  return made;
}

}  // namespace

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

std::string claims_of_folder(const std::vector<Figure>& figures, const ResultStore& store) {
  const std::vector<MadeFigure> made = figures_in(figures, store);
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
        const bool holds = claim.outcome == Outcome::holds;
        text += fmt::format("| [{0}](#{0}) | {1} | {2}{3}{2} |\n", one.figure->name, claim.text,
                            holds ? "" : "**", to_string(claim.outcome));
      }
    }
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
