// SPDX-License-Identifier: Apache-2.0
#include "tests/support/timeline_reader.h"

#include <stdexcept>

namespace allport::test {

namespace {

enum class Wire { varint = 0, fixed64 = 1, bytes = 2 };

struct Field {
  int number = 0;
  Wire wire = Wire::varint;
  std::uint64_t value = 0;
  std::string_view bytes;
};

[[noreturn]] void reject(const std::string& why) { throw std::runtime_error(why); }

std::uint64_t take_varint(std::string_view& rest) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (rest.empty()) reject("a number is cut off");
    const auto byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
  reject("a number has more than 64 bits");
}

std::vector<Field> fields_of(std::string_view rest) {
  std::vector<Field> fields;
  while (!rest.empty()) {
    const std::uint64_t key = take_varint(rest);
    Field field{static_cast<int>(key >> 3), static_cast<Wire>(key & 7U), 0, {}};
    std::size_t size = 0;
    if (field.wire == Wire::varint) {
      field.value = take_varint(rest);
    } else if (field.wire == Wire::fixed64) {
      size = 8;
    } else if (field.wire == Wire::bytes) {
      size = take_varint(rest);
    } else {
      reject("field " + std::to_string(field.number) + " has an unknown wire type");
    }
    if (size > rest.size()) reject("field " + std::to_string(field.number) + " is cut off");
    field.bytes = rest.substr(0, size);
    rest.remove_prefix(size);
    for (std::size_t i = 0; field.wire == Wire::fixed64 && i < size; ++i) {
      field.value |= std::uint64_t{static_cast<unsigned char>(field.bytes[i])} << (8 * i);
    }
    fields.push_back(field);
  }
  return fields;
}

// Calls `take` with each field of a message; `known` has the wire type of every field that it may
// have.
template <class Take>
void each_field(const char* message, std::string_view bytes, const std::map<int, Wire>& known,
                Take take) {
  for (const Field& field : fields_of(bytes)) {
    const auto found = known.find(field.number);
    if (found == known.end() || found->second != field.wire) {
      reject(std::string(message) + " has no field " + std::to_string(field.number) +
             " of wire type " + std::to_string(static_cast<int>(field.wire)));
    }
    take(field);
  }
}

class Reader {
 public:
  explicit Reader(TimelineReading& reading) : reading_(reading) {}

  void read_packet(std::string_view bytes) {
    std::uint64_t time = 0;
    bool has_time = false;
    std::string_view event;
    each_field("TracePacket", bytes,
               {{8, Wire::varint},
                {10, Wire::varint},
                {11, Wire::bytes},
                {13, Wire::varint},
                {60, Wire::bytes}},
               [&](const Field& field) {
                 has_time = has_time || field.number == 8;
                 if (field.number == 8) time = field.value;
                 if (field.number == 10 && field.value == 0) reject("a sequence has the number 0");
                 if (field.number == 11) event = field.bytes;
                 const bool clears = field.number == 13 && field.value == 1;
                 if (clears && reading_.packets != 0) reject("a sequence begins twice");
                 starts_ = starts_ || clears;
                 if (field.number == 60) read_track(field.bytes);
               });
    if (!starts_) reject("the sequence does not begin");
    if (!event.empty() && !has_time) reject("an event has no time");
    if (!event.empty()) read_event(event, static_cast<std::int64_t>(time));
    ++reading_.packets;
  }

  void finish() const {
    for (const auto& [track, open] : open_) {
      if (!open.empty()) reject("a slice of '" + reading_.tracks.at(track).name + "' has no end");
    }
  }

 private:
  void read_track(std::string_view bytes) {
    TimelineReading::Track track;
    std::uint64_t uuid = 0;
    std::uint64_t parent = 0;
    each_field("TrackDescriptor", bytes,
               {{1, Wire::varint},
                {2, Wire::bytes},
                {3, Wire::bytes},
                {5, Wire::varint},
                {8, Wire::bytes},
                {11, Wire::varint},
                {12, Wire::varint}},
               [&](const Field& field) {
                 if (field.number == 1) uuid = field.value;
                 if (field.number == 2) track.name = field.bytes;
                 if (field.number == 3) read_process(field.bytes, track);
                 if (field.number == 5) parent = field.value;
                 if (field.number == 8) track.is_counter = true;
               });
    if (uuid == 0 || reading_.tracks.count(uuid) != 0) reject("a track has no number of its own");
    if ((parent == 0) != (track.pid != 0)) reject("'" + track.name + "' has a wrong parent");
    if (parent != 0) track.process = reading_.tracks.at(parent).process;
    reading_.tracks[uuid] = track;
  }

  static void read_process(std::string_view bytes, TimelineReading::Track& track) {
    each_field("ProcessDescriptor", bytes, {{1, Wire::varint}, {6, Wire::bytes}},
               [&](const Field& field) {
                 if (field.number == 1) track.pid = static_cast<int>(field.value);
                 if (field.number == 6) track.process = field.bytes;
               });
    if (track.pid == 0) reject("a process has the number 0");
  }

  void read_event(std::string_view bytes, std::int64_t now) {
    TimelineReading::Slice slice;
    std::uint64_t type = 0;
    std::int64_t count = 0;
    each_field("TrackEvent", bytes,
               {{4, Wire::bytes},
                {9, Wire::varint},
                {11, Wire::varint},
                {22, Wire::bytes},
                {23, Wire::bytes},
                {30, Wire::varint},
                {47, Wire::fixed64},
                {48, Wire::fixed64}},
               [&](const Field& field) {
                 if (field.number == 4) read_note(field.bytes, slice);
                 if (field.number == 9) type = field.value;
                 if (field.number == 11) slice.track = field.value;
                 if (field.number == 22) slice.category = field.bytes;
                 if (field.number == 23) slice.name = field.bytes;
                 if (field.number == 30) count = static_cast<std::int64_t>(field.value);
                 if (field.number == 47) slice.flows.push_back(field.value);
                 if (field.number == 48) slice.ended_flows.push_back(field.value);
               });
    place(type, slice, now, count);
  }

  void place(std::uint64_t type, TimelineReading::Slice& slice, std::int64_t now,
             std::int64_t count) {
    const auto track = reading_.tracks.find(slice.track);
    if (track == reading_.tracks.end()) reject("an event is on no track");
    const std::string& name = track->second.name;
    const auto [last, is_new] = last_.emplace(slice.track, now);
    if (!is_new && now < last->second) reject("time goes back on '" + name + "'");
    last->second = now;
    if (track->second.is_counter != (type == 4))
      reject("'" + name + "' has an event of type " + std::to_string(type));
    std::vector<std::size_t>& open = open_[slice.track];
    if (type == 1) {
      slice.first = now;
      slice.depth = open.size();
      open.push_back(reading_.slices.size());
      reading_.slices.push_back(slice);
    } else if (type == 2) {
      if (open.empty()) reject("a slice of '" + name + "' ends and has not begun");
      reading_.slices[open.back()].end = now;
      open.pop_back();
    } else if (type == 4) {
      reading_.counts[slice.track].emplace_back(now, count);
    } else {
      reject("an event has type " + std::to_string(type));
    }
  }

  static void read_note(std::string_view bytes, TimelineReading::Slice& slice) {
    std::string name;
    std::string value;
    each_field("DebugAnnotation", bytes, {{4, Wire::varint}, {6, Wire::bytes}, {10, Wire::bytes}},
               [&](const Field& field) {
                 if (field.number == 4) value = std::to_string(field.value);
                 if (field.number == 6) value = field.bytes;
                 if (field.number == 10) name = field.bytes;
               });
    slice.notes[name] = value;
  }

  TimelineReading& reading_;
  bool starts_ = false;
  std::map<std::uint64_t, std::vector<std::size_t>> open_;  // by track: its open slices
  std::map<std::uint64_t, std::int64_t> last_;              // by track: the time of its last event
};

}  // namespace

TimelineReading read_timeline(std::string_view bytes) {
  TimelineReading reading;
  Reader reader(reading);
  try {
    each_field("Trace", bytes, {{1, Wire::bytes}},
               [&](const Field& field) { reader.read_packet(field.bytes); });
    reader.finish();
  } catch (const std::exception& error) {
    reading.fault = error.what();
  }
  return reading;
}

}  // namespace allport::test
