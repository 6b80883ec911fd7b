// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace allport {

namespace {

// In pixels.
constexpr std::size_t width = 1100;
constexpr std::size_t line_height = 20;
constexpr std::size_t panel_height = 380;
constexpr std::size_t left_margin = 105;
constexpr std::size_t right_margin = 25;
constexpr std::size_t gap = 12;
constexpr std::size_t letter_width = 8;
constexpr std::size_t letters_of_a_line = 135;

constexpr const char* grey = "#9a9a9a";

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

// `range` with a margin, so that no point lies on the frame.
std::string with_air(Range range, bool is_logarithmic, bool starts_at_zero) {
  if (is_logarithmic) return fmt::format("[{}:{}]", range.low / 1.25, range.high * 1.25);
  if (starts_at_zero) return fmt::format("[0:{}]", range.high > 0 ? range.high * 1.06 : 1);
  const double air = range.high > range.low ? 0.06 * (range.high - range.low) : 0.5;
  return fmt::format("[{}:{}]", range.low - air, range.high + air);
}

std::string in_gnuplot_quotes(const std::string& text) {
  std::string safe = text;
  std::replace(safe.begin(), safe.end(), '"', '\'');
  std::replace(safe.begin(), safe.end(), '`', '\'');
  std::replace(safe.begin(), safe.end(), '\\', '/');
  return "\"" + safe + "\"";
}

// The text broken at spaces into lines that fit the picture.
std::vector<std::string> lines_of(std::string text) {
  std::vector<std::string> lines;
  while (text.size() > letters_of_a_line) {
    std::size_t end = text.rfind(' ', letters_of_a_line);
    if (end == std::string::npos || end == 0) end = letters_of_a_line;
    lines.push_back(text.substr(0, end));
    text.erase(0, text[end] == ' ' ? end + 1 : end);
  }
  lines.push_back(std::move(text));
  return lines;
}

std::string shortened(const std::string& text) {
  return text.size() <= letters_of_a_line ? text : text.substr(0, letters_of_a_line - 2) + "..";
}

bool is_better(const Chart& chart, double a, double b) {
  return chart.is_more_better ? a > b : a < b;
}

// The best curve of a group at each x, in the order of x.
struct BestAt {
  std::size_t curve = 0;
  double y = 0;
};

std::map<double, BestAt> best_of(const Chart& chart, std::size_t group) {
  std::map<double, BestAt> best;
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    if (chart.curves[i].group != group) continue;
    for (const ChartPoint& point : chart.curves[i].points) {
      const double y = point.y.front().mean;
      const auto [known, is_new] = best.try_emplace(point.x, BestAt{i, y});
      if (!is_new && is_better(chart, y, known->second.y)) known->second = {i, y};
    }
  }
  return best;
}

std::optional<double> value_at(const ChartCurve& curve, double x) {
  for (const ChartPoint& point : curve.points) {
    if (point.x == x) return point.y.front().mean;
  }
  return std::nullopt;
}

// Where the lines of two curves cross between `from` and `to`; the middle if one of them has no
// point there.
double crossing(const Chart& chart, const ChartCurve& a, const ChartCurve& b, double from,
                double to) {
  const auto scaled = [&](double x) { return chart.is_x_logarithmic ? std::log(x) : x; };
  const auto at = [&](double share) {
    const double place = scaled(from) + share * (scaled(to) - scaled(from));
    return chart.is_x_logarithmic ? std::exp(place) : place;
  };
  const auto a_from = value_at(a, from);
  const auto a_to = value_at(a, to);
  const auto b_from = value_at(b, from);
  const auto b_to = value_at(b, to);
  if (!a_from || !a_to || !b_from || !b_to) return at(0.5);
  const bool is_logarithmic =
      chart.panels.front().is_logarithmic && std::min({*a_from, *a_to, *b_from, *b_to}) > 0;
  const auto y = [&](double value) { return is_logarithmic ? std::log(value) : value; };
  const double before = y(*b_from) - y(*a_from);
  const double after = y(*b_to) - y(*a_to);
  return before == after ? at(0.5) : at(before / (before - after));
}

// How the curves of a name look.
struct Look {
  std::string_view colour;
  std::size_t number = 0;
  bool is_grey = false;
};

std::map<std::string, Look> looks_of(const Chart& chart) {
  const std::vector<std::string_view>& colours = chart_colours();
  std::vector<std::string> names;
  for (const ChartCurve& curve : chart.curves) {
    if (std::find(names.begin(), names.end(), curve.known_as()) == names.end()) {
      names.push_back(curve.known_as());
    }
  }
  if (names.size() > colours.size()) {
    const std::vector<std::string> best = best_names(chart);
    std::stable_partition(names.begin(), names.end(), [&](const std::string& name) {
      return std::find(best.begin(), best.end(), name) != best.end();
    });
  }
  std::map<std::string, Look> looks;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_grey = i >= colours.size();
    looks[names[i]] = {is_grey ? grey : colours[i], i, is_grey};
  }
  return looks;
}

// Filled and hollow marks, which differ without colours.
std::pair<int, int> marks_of(const Look& look) {
  constexpr std::array<std::pair<int, int>, 6> kinds{
      {{7, 6}, {5, 4}, {9, 8}, {11, 10}, {13, 12}, {15, 14}}};
  return kinds[look.number % kinds.size()];
}

class Script {
 public:
  explicit Script(const Chart& chart) : chart_(chart), looks_(looks_of(chart)) {
    add_heading(chart.title);
    for (const std::string& note : chart.notes) add_heading(note);
    columns_ = chart.panels.size() > 1 ? chart.panels.size() : std::min<std::size_t>(2, groups());
    list_legend();
  }

  std::string text() {
    add_preamble();
    for (std::size_t i = 0; i < chart_.curves.size(); ++i) add_data(i);
    for (std::size_t group = 0; group < groups(); ++group) add_bound(group);
    bool is_first = true;
    for (std::size_t group = 0; group < groups(); ++group) {
      for (std::size_t panel = 0; panel < chart_.panels.size(); ++panel) {
        add_panel(panel, group);
        if (is_first) drop_heading();
        is_first = false;
      }
    }
    return text_ + "unset multiplot\n";
  }

 private:
  struct Entry {
    std::string title;
    std::size_t curve = 0;
  };

  void add_heading(const std::string& text) {
    for (std::string& line : lines_of(text)) heading_.push_back(std::move(line));
  }
  void drop_heading() {  // it is drawn once
    for (std::size_t i = 0; i < heading_.size(); ++i) {
      text_ += fmt::format("unset label {}\n", i + 1);
    }
  }
  // The first curve of each name that has a line in the legend, and one for all that are grey.
  void list_legend() {
    std::set<std::string> seen;
    std::string others;
    std::size_t grey_curve = 0;
    for (std::size_t i = 0; i < chart_.curves.size(); ++i) {
      const ChartCurve& curve = chart_.curves[i];
      if (!seen.insert(curve.known_as()).second) continue;
      const Look& look = looks_.at(curve.known_as());
      if (!look.is_grey) {
        legend_.push_back({groups() > 1 ? curve.known_as() : curve.title, i});
        continue;
      }
      others += (others.empty() ? "others: " : ", ") + curve.known_as();
      grey_curve = i;
    }
    std::stable_sort(legend_.begin(), legend_.end(), [&](const Entry& a, const Entry& b) {
      return look_of(a.curve).number < look_of(b.curve).number;
    });
    if (!others.empty()) legend_.push_back({others, grey_curve});
  }

  const Look& look_of(std::size_t curve) const {
    return looks_.at(chart_.curves[curve].known_as());
  }
  std::size_t groups() const { return chart_.groups.size(); }
  bool has_titles() const { return groups() > 1; }
  bool has_bound() const {
    return std::any_of(chart_.groups.begin(), chart_.groups.end(),
                       [](const ChartGroup& group) { return !group.bound.empty(); });
  }
  bool has_diagonal() const {
    return std::any_of(chart_.panels.begin(), chart_.panels.end(),
                       [](const ChartPanel& panel) { return panel.has_diagonal; });
  }
  bool is_any_hollow() const {
    return std::any_of(chart_.curves.begin(), chart_.curves.end(), [](const ChartCurve& curve) {
      return std::any_of(curve.points.begin(), curve.points.end(),
                         [](const ChartPoint& point) { return point.is_hollow; });
    });
  }
  const char* bound_look() const {
    return chart_.joins_points ? "lines dt 2 lw 1.5" : "points pt 1 ps 0.7";
  }
  std::size_t legend_lines() const {
    return legend_.size() + (is_any_hollow() ? 1 : 0) + (has_diagonal() ? 1 : 0) +
           (has_bound() ? 1 : 0);
  }
  std::size_t column_width() const { return width / columns_; }
  // Names that do not fit beside each other are tilted.
  bool are_tics_tilted() const {
    std::size_t letters = 0;
    std::size_t longest = 0;
    for (const auto& tic : chart_.tics) {
      letters += tic.second.size() + 1;
      longest = std::max(longest, tic.second.size() + 1);
    }
    // Names have equal distances, so the longest one counts.
    if (!chart_.joins_points) letters = std::max(letters, longest * chart_.tics.size());
    return letters * letter_width > column_width() - left_margin - right_margin;
  }
  std::size_t axis_height() const {  // tics and label below a panel
    constexpr std::size_t level = 60;
    constexpr std::size_t most = 150;
    if (!are_tics_tilted()) return level;
    std::size_t longest = 0;
    for (const auto& tic : chart_.tics) longest = std::max(longest, tic.second.size());
    return std::min(most, level + longest * letter_width / 2);
  }
  std::size_t row_height() const {
    return panel_height + axis_height() + gap + (has_titles() ? line_height : 0);
  }
  std::size_t rows() const {
    const std::size_t cells = groups() * chart_.panels.size();
    return (cells + columns_ - 1) / columns_;
  }
  std::size_t top_of_row(std::size_t row) const {
    return 2 * gap + line_height * heading_.size() + row * row_height() +
           (has_titles() ? line_height : 0);
  }
  std::size_t legend_top() const {
    return 2 * gap + line_height * heading_.size() + rows() * row_height();
  }
  std::size_t height() const { return legend_top() + line_height * legend_lines() + gap; }
  // Converts pixels below the top to a share of the screen above its bottom.
  double y_on_screen(std::size_t pixels) const {
    return 1 - static_cast<double>(pixels) / static_cast<double>(height());
  }
  static double x_on_screen(std::size_t pixels) {
    return static_cast<double>(pixels) / static_cast<double>(width);
  }

  Range x_range() const;
  Range y_range(std::size_t panel) const;
  void add_preamble();
  void add_data(std::size_t curve);
  void add_bound(std::size_t group);
  void add_panel(std::size_t panel, std::size_t group);
  std::string layers(std::size_t curve, std::size_t panel) const;
  std::string legend() const;

  const Chart& chart_;
  const std::map<std::string, Look> looks_;
  std::size_t columns_ = 1;
  std::vector<Entry> legend_;
  std::vector<std::string> heading_;
  std::string text_;
};

Range Script::x_range() const {
  Range range;
  for (const ChartCurve& curve : chart_.curves) {
    for (const ChartPoint& point : curve.points) range.include(point.x);
  }
  for (const auto& [x, label] : chart_.tics) range.include(x);
  return range;
}

// An interval is shown as far as half and twice its mean: those of two or three runs may be far
// wider than all that is to be seen.
Range Script::y_range(std::size_t panel) const {
  Range range;
  for (const ChartCurve& curve : chart_.curves) {
    for (const ChartPoint& point : curve.points) {
      const Fold& one = point.y[panel];
      range.include(one.mean);
      if (one.half == 0 || one.mean <= 0) continue;
      range.include(std::max(one.low(), one.mean / 2));
      range.include(std::min(one.high(), one.mean * 2));
    }
  }
  if (panel > 0) return range;
  for (const ChartGroup& group : chart_.groups) {
    for (const auto& [x, bound] : group.bound) range.include(bound);
  }
  return range;
}

void Script::add_preamble() {
  text_ += fmt::format(
      "set terminal svg size {},{} background rgb 'white' font 'sans,13'\n"
      "set multiplot\nset grid lc rgb '#dddddd'\nset xlabel {} noenhanced\n",
      width, height(), in_gnuplot_quotes(chart_.x_label));
  for (std::size_t i = 0; i < heading_.size(); ++i) {
    text_ += fmt::format("set label {} {} at screen 0.5, screen {:.6f} center noenhanced\n", i + 1,
                         in_gnuplot_quotes(heading_[i]),
                         y_on_screen(gap + line_height * i + line_height / 2));
  }
  if (chart_.is_x_logarithmic) text_ += "set logscale x\nset format x '%.0s%c'\n";
  if (!chart_.tics.empty()) {
    std::string tics;
    for (const auto& [x, label] : chart_.tics) {
      tics += fmt::format("{}{} {}", tics.empty() ? "" : ", ", in_gnuplot_quotes(label), x);
    }
    text_ += fmt::format("set xtics ({}) noenhanced{}\n", tics,
                         are_tics_tilted() ? " rotate by -25" : "");
  }
  text_ += fmt::format("set xrange {}\n",
                       with_air(x_range(), chart_.is_x_logarithmic, chart_.starts_at_zero));
}

// Columns: x, hollow, ringed, then mean, and the ends of its interval, of each quantity.
void Script::add_data(std::size_t curve) {
  constexpr double least_share = 1e-3;  // of the mean: a logarithmic axis has no 0
  text_ += fmt::format("$curve{} << end_of_curve\n", curve);
  for (const ChartPoint& point : chart_.curves[curve].points) {
    text_ += fmt::format("{} {:d} {:d}", point.x, point.is_hollow, point.is_ringed);
    for (const Fold& one : point.y) {
      const double low = one.mean > 0 ? std::max(one.low(), one.mean * least_share) : one.low();
      text_ += fmt::format(" {} {} {}", one.mean, low, one.high());
    }
    text_ += '\n';
  }
  text_ += "end_of_curve\n";
}

void Script::add_bound(std::size_t group) {
  if (chart_.groups[group].bound.empty()) return;
  text_ += fmt::format("$bound{} << end_of_curve\n", group);
  for (const auto& [x, y] : chart_.groups[group].bound) text_ += fmt::format("{} {}\n", x, y);
  text_ += "end_of_curve\n";
}

// A band behind a line with filled and hollow points, and a ring around those that are marked.
std::string Script::layers(std::size_t curve, std::size_t panel) const {
  const ChartCurve& one = chart_.curves[curve];
  const Look& look = look_of(curve);
  const std::string data = fmt::format("$curve{}", curve);
  const std::string colour = fmt::format("lc rgb '{}'", look.colour);
  const std::size_t mean = 4 + 3 * panel;
  const auto [filled, hollow] = marks_of(look);
  std::string text;
  if (chart_.has_bands && chart_.joins_points && one.points.size() > 1 && !look.is_grey) {
    text += fmt::format(
        "{} using 1:{}:{} with filledcurves {} fs transparent solid 0.2 notitle, \\\n  ", data,
        mean + 1, mean + 2, colour);
  } else if (chart_.has_bands && !look.is_grey) {
    text += fmt::format("{} using 1:{}:{}:{} with yerrorbars pt 0 lw 1.5 {} notitle, \\\n  ", data,
                        mean, mean + 1, mean + 2, colour);
  }
  if (chart_.joins_points) {
    text += fmt::format("{} using 1:{} with lines lw {} {} notitle, \\\n  ", data, mean,
                        look.is_grey ? 1 : 2, colour);
  }
  const double size = look.is_grey ? 0.3 : 0.5;
  return text +
         fmt::format(
             "{0} using 1:($2 == 0 ? ${1} : NaN) with points pt {4} ps {2} {3} notitle, \\\n"
             "  {0} using 1:($2 == 1 ? ${1} : NaN) with points pt {5} ps 0.6 {3} notitle, \\\n"
             "  {0} using 1:($3 == 1 ? ${1} : NaN) with points pt 6 ps 1.6 lw 2 {3} notitle, \\\n  ",
             data, mean, size, colour, filled, hollow);
}

// Lines and marks without a point.
std::string Script::legend() const {
  std::string text;
  for (const Entry& entry : legend_) {
    const Look& look = look_of(entry.curve);
    text +=
        fmt::format("NaN with {} pt {} ps 0.5 lw {} lc rgb '{}' title {}, \\\n  ",
                    chart_.joins_points ? "linespoints" : "points", marks_of(look).first,
                    look.is_grey ? 1 : 2, look.colour, in_gnuplot_quotes(shortened(entry.title)));
  }
  if (has_bound()) {
    text += fmt::format("NaN with {} lc rgb '#000000' title 'lower bound of any schedule', \\\n  ",
                        bound_look());
  }
  if (is_any_hollow()) {
    text +=
        "NaN with points pt 6 ps 1.6 lw 2 lc rgb '#444444' title 'saturation: hollow points are saturated, a ring marks the first of a curve', \\\n  ";
  }
  if (has_diagonal()) {
    text += "NaN with lines dt 2 lc rgb '#888888' title 'accepted = offered', \\\n  ";
  }
  return text;
}

void Script::add_panel(std::size_t panel, std::size_t group) {
  const ChartPanel& one = chart_.panels[panel];
  const ChartGroup& shared = chart_.groups[group];
  const std::size_t cell = group * chart_.panels.size() + panel;
  const std::size_t left = column_width() * (cell % columns_);
  const std::size_t top = top_of_row(cell / columns_);
  text_ += fmt::format(
      "set lmargin at screen {:.6f}\nset rmargin at screen {:.6f}\nset tmargin at screen {:.6f}\n"
      "set bmargin at screen {:.6f}\nset ylabel {} noenhanced\n",
      x_on_screen(left + left_margin), x_on_screen(left + column_width() - right_margin),
      y_on_screen(top), y_on_screen(top + panel_height), in_gnuplot_quotes(one.label));
  if (has_titles()) {
    text_ += fmt::format("set title {} offset 0,-0.6 noenhanced\n",
                         in_gnuplot_quotes(shortened(shared.title)));
  }
  const bool is_legend = cell == 0;
  text_ +=
      is_legend
          ? fmt::format(
                "set key at screen {:.6f}, screen {:.6f} left top vertical Left reverse noenhanced maxcols 1 width 0 height 0\n",
                x_on_screen(left_margin), y_on_screen(legend_top()))
          : "unset key\n";
  const Range range = y_range(panel);
  // Within less than a decade a logarithmic axis may have no number at all.
  constexpr double decade = 10;
  const bool is_logarithmic = one.is_logarithmic && range.high >= decade * range.low;
  // gnuplot leaves out the label of an axis whose numbers are too wide: 10M, not 1x10^7.
  const bool has_wide_numbers = is_logarithmic && range.high >= 1e6;
  text_ += fmt::format("set format y '{}'\n", has_wide_numbers ? "%.0s%c" : "% h");
  text_ += fmt::format("{} logscale y\nset yrange {}\n", is_logarithmic ? "set" : "unset",
                       with_air(range, is_logarithmic, range.low >= 0));
  text_ += "unset arrow\n";
  for (const double x : shared.marks) {
    text_ += fmt::format(
        "set arrow from {0}, graph 0 to {0}, graph 1 nohead dt 3 lw 1.2 lc rgb '#666666'\n", x);
  }
  text_ += "plot ";
  std::vector<std::size_t> drawn;
  for (std::size_t i = 0; i < chart_.curves.size(); ++i) {
    if (chart_.curves[i].group == group) drawn.push_back(i);
  }
  std::stable_partition(drawn.begin(), drawn.end(),
                        [&](std::size_t i) { return look_of(i).is_grey; });
  for (const std::size_t i : drawn) text_ += layers(i, panel);
  if (panel == 0 && !shared.bound.empty()) {
    text_ += fmt::format("$bound{} using 1:2 with {} lc rgb '#000000' notitle, \\\n  ", group,
                         bound_look());
  }
  if (is_legend) text_ += legend();
  text_ += one.has_diagonal ? "x with lines dt 2 lc rgb '#888888' notitle\n" : "NaN notitle\n";
}

// `tree up to 4 KiB, utorus from 64 KiB on`
std::string winners_in_words(const Chart& chart, const std::map<double, BestAt>& best,
                             const std::map<double, std::string>& words) {
  struct Stretch {
    std::size_t curve;
    double first;
    double last;
  };
  std::vector<Stretch> stretches;
  for (const auto& [x, one] : best) {
    if (stretches.empty() || stretches.back().curve != one.curve) {
      stretches.push_back({one.curve, x, x});
    }
    stretches.back().last = x;
  }
  std::string text;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const Stretch& one = stretches[i];
    std::string where;
    if (stretches.size() > 1 && i == 0) {
      where = " up to " + words.at(one.last);
    } else if (i > 0 && i + 1 == stretches.size()) {
      where = " from " + words.at(one.first) + " on";
    } else if (i > 0) {
      where = one.first == one.last ? " at " + words.at(one.first)
                                    : " from " + words.at(one.first) + " to " + words.at(one.last);
    }
    text += (i == 0 ? "" : ", ") + chart.curves[one.curve].known_as() + where;
  }
  return text;
}

}  // namespace

const std::vector<std::string_view>& chart_colours() {
  static const std::vector<std::string_view> colours{"#0060ad", "#c8102e", "#2a8f4f", "#8e44ad",
                                                     "#c76a00", "#00829b", "#7f5539", "#444444",
                                                     "#d6338a", "#6b7a00"};
  return colours;
}

std::vector<std::string> best_names(const Chart& chart) {
  std::vector<std::string> names;
  for (std::size_t group = 0; group < chart.groups.size(); ++group) {
    for (const auto& [x, one] : best_of(chart, group)) {
      names.push_back(chart.curves[one.curve].known_as());
    }
  }
  return names;
}

void mark_changes(Chart& chart, const std::vector<std::pair<double, std::string>>& x_in_words) {
  constexpr std::size_t most_changes = 6;  // more are no answer
  if (!chart.joins_points || chart.curves.size() < 2) return;
  const std::map<double, std::string> words(x_in_words.begin(), x_in_words.end());
  for (std::size_t group = 0; group < chart.groups.size(); ++group) {
    const std::map<double, BestAt> best = best_of(chart, group);
    std::vector<double> marks;
    for (auto at = best.begin(); at != best.end(); ++at) {
      const auto next = std::next(at);
      if (next == best.end() || at->second.curve == next->second.curve) continue;
      marks.push_back(crossing(chart, chart.curves[at->second.curve],
                               chart.curves[next->second.curve], at->first, next->first));
    }
    if (best.empty() || marks.size() > most_changes) continue;
    chart.groups[group].marks = marks;
    const std::string& title = chart.groups[group].title;
    chart.notes.push_back(fmt::format("{}{}: {}", title.empty() ? "" : title + ", ",
                                      chart.is_more_better ? "the most" : "the least",
                                      winners_in_words(chart, best, words)));
  }
}

std::string gnuplot_script(const Chart& chart) { return Script(chart).text(); }

}  // namespace allport
