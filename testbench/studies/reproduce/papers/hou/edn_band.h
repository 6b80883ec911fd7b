// SPDX-License-Identifier: Apache-2.0
// An EdnBand is what the readings of EDN (traffic/algorithms/edn_readings.h) take in simulation,
// beside DCF: [Hou98] does not give EDN's messages, so what the text says of its figures 8 and 9 is
// held against every reading that fits the rest of the text.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "testbench/studies/reproduce/drawing/line_chart.h"
#include "testbench/studies/reproduce/papers/hou/torus_broadcast.h"

namespace allport {

/// A row of broadcasts on the torus of the figures, which differ in their length.
struct BandSetting {
  int software_latency;      ///< ts = tr, in cycles
  std::vector<int> lengths;  ///< in flits, ascending
};

/// The numbers of the readings: all of them, or as many as the request has trials, drawn by its
/// seed.
std::vector<std::size_t> readings_of(const FigureRequest& request);

/// The runs of a band, which are many: they move worms wherever worms carry a run, whatever the
/// models of the request.
std::vector<Point> band_points(const FigureRequest& request, const BandSetting& setting);

/// One reading at the lengths of a band.
struct MeasuredReading {
  std::size_t number;
  std::vector<Cycle> latencies;
  std::vector<Cycle> leads;  ///< how much sooner DCF is done
  std::vector<std::uint64_t> events;
};

class EdnBand {
 public:
  EdnBand(const FigureRequest& request, const Runs& runs, BandSetting setting);

  const std::vector<int>& lengths() const { return setting_.lengths; }
  const std::vector<MeasuredReading>& readings() const { return readings_; }
  /// The number of readings that there are.
  static std::size_t all();
  bool is_whole() const { return readings_.size() == all(); }

  /// The least, the middle and the largest latency at length number `i`.
  struct Spread {
    Cycle least;
    Cycle middle;
    Cycle most;
  };
  Spread spread(std::size_t i) const;
  /// The least and the largest lead at length number `i`, in words.
  std::string leads_in_words(std::size_t i) const;

  /// The number of readings of which `says` holds.
  template <typename Says>
  std::size_t count(Says says) const {
    std::size_t number = 0;
    for (const MeasuredReading& one : readings_) number += says(one) ? 1 : 0;
    return number;
  }

  void draw(LineChart& chart) const;

 private:
  BandSetting setting_;
  std::vector<MeasuredReading> readings_;
};

/// A claim on EDN that `fitting` of `all` readings bear out. Where all do, whichever is EDN does
/// too, and it holds; where none does, it is `otherwise`; in between the text does not say enough.
Claim claim_on_readings(std::string text, Quotation source, std::size_t fitting, std::size_t all,
                        const std::string& measured, Outcome otherwise = Outcome::not_reproduced,
                        const std::string& remark = "");

/// What the text says of figures 8 and 9, judged over the band.
void add_sentences_8(Claims& claims, const EdnBand& band);
void add_sentences_9(Claims& claims, const EdnBand& band, Cycle by_analysis);

/// Whether a reading says all four sentences on figure 8.
bool says_figure_8(const MeasuredReading& reading, const std::vector<int>& lengths);

}  // namespace allport
