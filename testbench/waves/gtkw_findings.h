// SPDX-License-Identifier: Apache-2.0
// Findings as GTKWave shows them: a marker on each cycle that has any, and a table above the traces
// whose lines begin with the letter of their marker. There are 26 letters: what the run ended with
// has one, then the first other cycles have. Of a long table most lines are in a closed group.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "testbench/waves/gtkw_writer.h"
#include "testbench/waves/wave_findings.h"

namespace allport {

class GtkwFindings {
 public:
  static constexpr std::size_t max_rows = 12;  ///< in sight

  /// `findings` of a recording of the cycles first .. last; markers stand on cycles in it.
  GtkwFindings(const WaveFindings& findings, Cycle first, Cycle last);

  /// By their letters.
  const std::vector<GtkwMarker>& markers() const { return markers_; }
  /// Characters of the longest line.
  std::size_t width() const;
  /// Lines that are in sight.
  int lines() const;
  void write(GtkwWriter& writer) const;

 private:
  /// Pixels that a marker's text covers; its middle is on the marker.
  struct Extent {
    double begin;
    double end;
  };

  Extent extent(const GtkwMarker& marker, const std::string& text) const;
  bool fits(const GtkwMarker& marker, const std::string& text) const;
  std::vector<GtkwMarker>::iterator marker_of(Cycle cycle);
  std::string letter_of(const GtkwMarker& marker) const;
  void set_rows(const std::vector<WaveFinding>& findings);
  void name_markers(const std::vector<WaveFinding>& findings);

  Cycle first_;
  Cycle last_;
  std::vector<GtkwMarker> markers_;
  std::vector<std::string> rows_;    // in sight
  std::vector<std::string> folded_;  // in the group
  std::size_t unmarked_;             // waits behind the last marker
};

}  // namespace allport
