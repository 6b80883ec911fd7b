// SPDX-License-Identifier: Apache-2.0
// A PlotView says which of the varied options of many points is the axis of a picture, which tell
// its curves apart by colour, which has a panel for each of its values, of which the best value
// counts, and which stay at one value. Pictures and pages begin with the same view.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace allport {

/// An option with several values.
struct PlotKey {
  std::string name;
  std::vector<std::string> values;  ///< in the order of the grid
};

struct PlotView {
  std::string x;
  std::string y;                             ///< a column of the results
  std::vector<std::string> colour;           ///< keys; a curve for each combination of their values
  std::string panel;                         ///< a key; empty: there is one panel
  std::vector<std::string> best;             ///< keys
  std::map<std::string, std::string> fixed;  ///< key and value
};

/// The first of `keys` over which a sweep is drawn if nothing else is asked for: a load. Empty:
/// there is none.
std::string load_axis(const std::vector<std::string>& keys);

/// Completes `wanted`, whose keys are among `keys`: what it leaves open is settled so that a
/// picture can be read. Without x that is the key with most values, the length of messages or
/// another property of the work before one of the machine. Where all curves are few they share a
/// panel. Else one key is the colour, the algorithm before others; a property of the work has
/// panels; of other choices of a machine the best counts; and what is left of the work stays at the
/// value in the middle of its list. `tied`: keys that advance together with x, and the seed, are in
/// no view.
PlotView settled_view(PlotView wanted, const std::vector<PlotKey>& keys,
                      const std::vector<std::string>& tied);

/// Whether the larger of two numbers of this column is the better one.
bool is_more_better(std::string_view column);
/// The column with the lower bound of the column `y`; empty: there is none.
std::string_view bound_column(std::string_view y);
/// The column with half the width of the interval of the mean `y`; empty: it is no mean.
std::string interval_column(std::string_view y);
/// Whether the values of this option are numbers of bytes.
bool is_in_bytes(std::string_view key);
/// `4 KiB`, `10 B`
std::string bytes_in_words(double bytes);

}  // namespace allport
