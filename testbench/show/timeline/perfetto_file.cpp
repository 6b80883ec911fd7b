// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/timeline/perfetto_file.h"

#include <cstdint>
#include <string>
#include <utility>

#include "track_events.pb.h"

namespace allport {

namespace {

constexpr std::uint32_t only_sequence = 1;
constexpr std::uint32_t begins_sequence = 1;  // of sequence_flags: nothing before it counts
constexpr std::uint32_t by_rank = 3;          // of child_ordering

class PerfettoFile final : public TimelineFile {
 public:
  PerfettoFile(Append append, StopFlag stop);

  TimelineTrack add_process(int pid, const std::string& name) override;
  TimelineTrack add_track(TimelineTrack process, const std::string& name) override;
  std::optional<TimelineTrack> add_counter(TimelineTrack process, const std::string& name,
                                           const char* unit) override;
  void begin(TimelineTrack track, const TimelineSlice& slice) override;
  void end(TimelineTrack track, Cycle now) override;
  void count(TimelineTrack counter, Cycle now, std::int64_t value) override;
  void finish() override {}

 private:
  enum class EventType : std::uint32_t { begin = 1, end = 2, counter = 4 };

  TimelineTrack new_track(const std::string& name);
  void start_event(TimelineTrack track, EventType type, Cycle now);
  void write();

  const Append append_;
  const StopFlag stop_;
  const std::unique_ptr<track_events::Trace> trace_;  // the packet being written
  track_events::TracePacket& packet_;
  std::string bytes_;
  std::uint64_t tracks_ = 0;
  bool is_first_ = true;
};

PerfettoFile::PerfettoFile(Append append, StopFlag stop)
    : append_(std::move(append)),
      stop_(stop),
      trace_(std::make_unique<track_events::Trace>()),
      packet_(*trace_->add_packet()) {}

TimelineTrack PerfettoFile::new_track(const std::string& name) {
  ++tracks_;
  track_events::TrackDescriptor& track = *packet_.mutable_track_descriptor();
  track.set_uuid(tracks_);
  track.set_name(name);
  return TimelineTrack{tracks_};
}

TimelineTrack PerfettoFile::add_process(int pid, const std::string& name) {
  const TimelineTrack track = new_track(name);
  track_events::TrackDescriptor& descriptor = *packet_.mutable_track_descriptor();
  descriptor.mutable_process()->set_pid(pid);
  descriptor.mutable_process()->set_process_name(name);
  descriptor.set_child_ordering(by_rank);
  write();
  return track;
}

TimelineTrack PerfettoFile::add_track(TimelineTrack process, const std::string& name) {
  const TimelineTrack track = new_track(name);
  track_events::TrackDescriptor& descriptor = *packet_.mutable_track_descriptor();
  descriptor.set_parent_uuid(static_cast<std::uint64_t>(process));
  descriptor.set_sibling_order_rank(
      static_cast<std::int32_t>(tracks_ - static_cast<std::uint64_t>(process)));
  write();
  return track;
}

std::optional<TimelineTrack> PerfettoFile::add_counter(TimelineTrack process,
                                                       const std::string& name, const char* unit) {
  packet_.mutable_track_descriptor()->mutable_counter()->set_unit_name(unit);
  return add_track(process, name);
}

void PerfettoFile::begin(TimelineTrack track, const TimelineSlice& slice) {
  start_event(track, EventType::begin, slice.first);
  track_events::TrackEvent& event = *packet_.mutable_track_event();
  event.set_name(slice.name);
  event.add_categories(slice.category);
  for (const auto& [name, value] : slice.words) {
    track_events::DebugAnnotation& note = *event.add_debug_annotations();
    note.set_name(name);
    note.set_string_value(value);
  }
  for (const auto& [name, value] : slice.numbers) {
    track_events::DebugAnnotation& note = *event.add_debug_annotations();
    note.set_name(name);
    note.set_int_value(value);
  }
  for (const TimelineArrow& arrow : slice.arrows) event.add_flow_ids(arrow.id());
  for (const TimelineArrow& arrow : slice.ended_arrows) {
    event.add_terminating_flow_ids(arrow.id());
  }
  write();
}

void PerfettoFile::end(TimelineTrack track, Cycle now) {
  start_event(track, EventType::end, now);
  write();
}

void PerfettoFile::count(TimelineTrack counter, Cycle now, std::int64_t value) {
  start_event(counter, EventType::counter, now);
  packet_.mutable_track_event()->set_counter_value(value);
  write();
}

void PerfettoFile::start_event(TimelineTrack track, EventType type, Cycle now) {
  packet_.set_timestamp(static_cast<std::uint64_t>(now));
  track_events::TrackEvent& event = *packet_.mutable_track_event();
  event.set_track_uuid(static_cast<std::uint64_t>(track));
  event.set_type(static_cast<std::uint32_t>(type));
}

// A trace is its packets one after another, and so are two traces.
void PerfettoFile::write() {
  heed(stop_);
  packet_.set_trusted_packet_sequence_id(only_sequence);
  if (is_first_) packet_.set_sequence_flags(begins_sequence);
  is_first_ = false;
  bytes_.clear();
  trace_->AppendToString(&bytes_);
  append_(bytes_);
  packet_.Clear();
}

}  // namespace

std::unique_ptr<TimelineFile> create_perfetto_file(TimelineFile::Append append, StopFlag stop) {
  return std::make_unique<PerfettoFile>(std::move(append), stop);
}

}  // namespace allport
