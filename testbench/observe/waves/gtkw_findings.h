// SPDX-License-Identifier: Apache-2.0
// GtkwFindings has findings as GTKWave shows them: a marker on each cycle that has a finding, and a
// table above the traces whose lines begin with the letter of their marker. There are 26 letters:
// the end of the run has one, then the first other cycles have one each. Most lines of a long table
// are in a closed group.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "testbench/observe/waves/gtkw_writer.h"
#include "testbench/observe/waves/wave_findings.h"

namespace allport {

class GtkwFindings {
 public:
  static constexpr std::size_t max_rows = 12;  ///< lines in sight

  /// `findings` are those of a recording of the cycles first .. last; only these cycles get
  /// markers.
  GtkwFindings(const WaveFindings& findings, Cycle first, Cycle last);

  /// The markers in the order of their letters.
  const std::vector<GtkwMarker>& markers() const { return markers_; }
  /// The number of characters of the longest line.
  std::size_t width() const;
  /// The number of lines in sight.
  int lines() const;
  void write(GtkwWriter& writer) const;

 private:
  /// The pixels that a marker's text covers; its middle is on the marker.
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
  std::vector<std::string> rows_;    // lines in sight
  std::vector<std::string> folded_;  // lines in the closed group
  std::size_t unmarked_;             // waits after the last marker
};

}  // namespace allport
