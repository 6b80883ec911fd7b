// SPDX-License-Identifier: Apache-2.0
// This class writes a timeline as transactions in the format FTR ("fast transaction recording") of
// the SystemC world, chunk by chunk. A track is a stream, and a slice is a transaction of one of
// its generators; arrows are relations. Counters do not exist. The unit of time is 1 ns and stands
// for one cycle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "rtl_model/base/stop_flag.h"
#include "testbench/show/timeline/cbor.h"
#include "testbench/show/timeline/timeline_file.h"

namespace allport {

class FtrFile final : public TimelineFile {
 public:
  /// Hands the chunks over to `append`, and throws Stopped once `stop` is set.
  FtrFile(Append append, StopFlag stop);

  TimelineTrack add_process(int pid, const std::string& name) override;
  TimelineTrack add_track(TimelineTrack process, const std::string& name) override;
  std::optional<TimelineTrack> add_counter(TimelineTrack, const std::string&,
                                           const char*) override {
    return std::nullopt;
  }
  void begin(TimelineTrack track, const TimelineSlice& slice) override;
  /// A transaction has its end from its beginning.
  void end(TimelineTrack, Cycle) override {}
  void count(TimelineTrack, Cycle, std::int64_t) override {}
  void finish() override;

 private:
  using Id = std::uint64_t;
  struct Generator {
    const char* category = "";
    Id id = 0;
  };
  struct Track {
    std::string process;  // its name, if it is one
    Id stream = 0;
    int lane = 0;  // its number among the tracks of the stream, from 1
    std::vector<Generator> generators;
  };
  struct Stream {
    Id id = 0;
    int lanes = 0;
  };
  struct Transaction {
    Id id = 0;
    Id stream = 0;
  };

  Id word(const std::string& text);
  Track& at(TimelineTrack track) { return tracks_[static_cast<std::size_t>(track)]; }
  TimelineTrack add(Track track);
  Id generator(Track& track, const char* category);
  void add_attributes(const TimelineSlice& slice);
  void connect(const TimelineArrow& arrow, const Transaction& here, bool begins_here);
  void write_names();
  void write_transactions();
  void write_relations();
  void write(std::uint64_t tag, const Cbor& content);

  const Append append_;
  const StopFlag stop_;
  std::unordered_map<std::string, Id> words_;
  std::unordered_map<Id, Stream> streams_;  // by name
  std::vector<Track> tracks_;
  std::unordered_map<std::uint64_t, Transaction> loose_;  // by arrow: its one end that is known
  Id elements_ = 0;                                       // streams and generators
  Id transactions_ = 0;
  // What is not yet written.
  Cbor new_words_;
  std::size_t number_of_new_words_ = 0;
  Cbor new_elements_;
  Cbor block_;  // transactions of stream_
  Id stream_ = 0;
  Cycle first_ = 0;
  Cycle end_ = 0;
  Cbor relations_;
};

}  // namespace allport
