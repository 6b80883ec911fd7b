// SPDX-License-Identifier: Apache-2.0
// A Figure is a figure or table of a paper that can be made again: runs of this program, each a
// point that can be computed alone and in any order, and the numbers, pictures and claims that
// follow from their results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "testbench/studies/reproduce/claim.h"
#include "testbench/studies/reproduce/number_table.h"
#include "testbench/studies/sweep/point.h"

namespace allport {

/// How figures are to be made.
struct FigureRequest {
  std::vector<std::string> models{"auto"};  ///< models that run; the numbers of the first are shown
  std::optional<std::size_t> trials;        ///< random sets of a point; none: as in the paper
  std::uint64_t seed = 1;
  std::string version;  ///< version of the program; results of other versions are not used

  std::size_t trials_or(std::size_t papers) const { return trials.value_or(papers); }
};

/// The run of this program with `arguments`, and `input` on stdin, which prints JSON on stdout.
Point program_point(const FigureRequest& request, std::vector<std::string> arguments,
                    std::string input = "");
/// `allport run` on `model`.
Point run_point(const FigureRequest& request, const std::string& model,
                std::vector<std::string> arguments, std::string input = "");

/// The results that the points of a figure printed.
class Runs {
 public:
  void add(const Point& point, Json result) { results_[point.name] = std::move(result); }
  /// Throws std::out_of_range for a point that was not run.
  const Json& of(const Point& point) const { return results_.at(point.name); }

 private:
  std::map<std::string, Json> results_;
};

/// Whether the run that printed `result` ended in a deadlock, which is a result too.
bool is_deadlocked(const Json& result);

/// A picture: SVG, or commands that make gnuplot print it.
struct Picture {
  std::string svg;
  std::string gnuplot;
};

struct FigureResult {
  NumberTable table;
  NumberTable page_table;  ///< what the page shows for it, however long; empty: table, if short
  Picture picture;
  Claims claims;
  std::vector<std::string> notes;              ///< further remarks for the reader
  std::map<std::string, std::string> digests;  ///< digests of all runs of the figure, by model
};

enum class FigureKind { curve, drawing, table };
template <>
inline constexpr std::array<Named<FigureKind>, 3> name_table<FigureKind>{
    {{FigureKind::curve, "curve"}, {FigureKind::drawing, "drawing"}, {FigureKind::table, "table"}}};

struct Figure {
  std::string_view name;    ///< robinson-13
  std::string_view title;   ///< title in our words
  std::string_view source;  ///< key of docs/papers.md and place
  FigureKind kind;
  std::vector<Point> (*points)(const FigureRequest&);
  FigureResult (*make)(const FigureRequest&, const Runs&);
  std::string_view judged_by{};  ///< whose model of the machine its claims are judged by
};

/// The points of a figure that is computed without a run.
std::vector<Point> no_points(const FigureRequest& request);

/// FNV-1a over the digests of `points`, in order: equal exactly when all of these are.
std::string digest_of_runs(const Runs& runs, const std::vector<Point>& points);
/// The points of one model, in an order that is the same for all.
using PointsOfModel = std::vector<Point> (*)(const FigureRequest&, const std::string& model);
/// The points of all models of the request.
std::vector<Point> points_of_models(const FigureRequest& request, PointsOfModel points);
/// Adds the digest of each model's runs and, where there are several models, the claim that these
/// are equal.
void add_digests(FigureResult& result, const FigureRequest& request, const Runs& runs,
                 PointsOfModel points);

}  // namespace allport
