// SPDX-License-Identifier: Apache-2.0
// These functions write the files of a figure: NAME.csv, NAME.svg, NAME.json, and NAME.md, the
// section of a page about it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "testbench/studies/reproduce/figure.h"
#include "testbench/studies/sweep/result_store.h"

namespace allport {

/// A figure that has been made.
struct MadeFigure {
  const Figure* figure;
  FigureResult result;
};

/// Writes the files into the folder of `store`, each whole or not at all, lets gnuplot draw the
/// pictures that need it, and returns their paths. Throws std::runtime_error, one sentence, when
/// one cannot be written or drawn.
std::vector<std::string> write_figure(const MadeFigure& made, const FigureRequest& request,
                                      const ResultStore& store);

/// `robinson-9  holds  claim ..`, a line for each claim of all figures.
std::string claims_overview(const std::vector<MadeFigure>& made);
/// Those of `figures` whose NAME.json is in the folder of `store`, with their claims only. A file
/// that is damaged, or of something else, is left out, and `say` gets a sentence about it.
std::vector<MadeFigure> figures_in_folder(const std::vector<Figure>& figures,
                                          const ResultStore& store,
                                          const std::function<void(const std::string&)>& say);
/// The claims of all figures, as a table of Markdown.
std::string claims_page(const std::vector<MadeFigure>& made);
/// Every passage of a document on which their claims stand, in the document's words, each with the
/// table of its claims, in Markdown.
std::string passages_page(const std::vector<MadeFigure>& made);
/// All claims of all figures.
Claims all_claims(const std::vector<MadeFigure>& made);

}  // namespace allport
