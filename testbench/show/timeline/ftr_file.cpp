// SPDX-License-Identifier: Apache-2.0
// This is the format, as the comment in ftr_writer.h of the library LWTR4SC
// (github.com/Minres/LWTR4SC) describes it, and as two readers take it: ftr_parser
// (github.com/christiandattinger/ftr_parser), which the viewer Surfer uses, and FtrDbLoader of
// SCViewer (github.com/Minres/SCViewer).
//
// - A file is CBOR: tag 55799 on an array of unknown length whose items are chunks, each with a
// tag:
//   6 info, 8 dictionary, 10 directory, 12 transactions, 14 relations. The content of a chunk is
//   CBOR in a byte string. (The odd tags 9 .. 15 are the same chunks, compressed.)
// - Info: [exponent of ten of the unit of time in seconds, tag 1 on the time of creation].
// - Dictionary: a map of numbers to strings. The numbers go up from 0, which is the empty string,
//   over all dictionaries of the file. Every name and string elsewhere is such a number.
// - Directory: an array of unknown length of streams, tag 16 on [id, name, kind], and generators,
//   tag 17 on [id, name, stream]. Streams and generators share their ids.
// - Transactions of one stream: [stream, first time, last time, content]; the content is an array
// of
//   unknown length of transactions, which are arrays of tag 6 on [id, generator, begin, end], then
//   attributes: tag 7 at the begin, 8 of the transaction, 9 at the end, on [name, type, value],
//   with type 2 for an integer and 10 for a string.
// - Relations: an array of unknown length of [name, from, to, stream of from, stream of to].
// - A reader goes through the chunks once: what a chunk names must be in a chunk before it.
// - Surfer looks for transactions of a generator by their ends and stops at the first that begins
//   too late. So those of a generator are in the order of both, and do not overlap.
// - ftr_parser takes times whose unit is 1 ns as times without a unit; SCViewer scales them.
#include "testbench/show/timeline/ftr_file.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace allport {

namespace {

// Tags of chunks.
constexpr std::uint64_t info = 6;
constexpr std::uint64_t dictionary = 8;
constexpr std::uint64_t directory = 10;
constexpr std::uint64_t transactions = 12;
constexpr std::uint64_t relations = 14;
// Tags in a directory.
constexpr std::uint64_t stream_entry = 16;
constexpr std::uint64_t generator_entry = 17;
// Tags in a transaction.
constexpr std::uint64_t event = 6;
constexpr std::uint64_t attribute = 8;
// Types of attributes.
constexpr std::uint64_t integer_type = 2;
constexpr std::uint64_t string_type = 10;

constexpr std::uint64_t self_described = 55799;
constexpr std::uint64_t date = 1;
constexpr int nanosecond = -9;
constexpr std::size_t chunk_size = std::size_t{1} << 16;

const char* name_of(ArrowKind kind) {
  switch (kind) {
    case ArrowKind::injection:
      return "injection";
    case ArrowKind::hop:
      return "hop";
    case ArrowKind::reception:
      return "reception";
    case ArrowKind::dependency:
      break;
  }
  return "dependency";
}

}  // namespace

// No date is written, so that the same run gives the same file.
FtrFile::FtrFile(Append append, StopFlag stop) : append_(std::move(append)), stop_(stop) {
  word("");
  Cbor head;
  head.tag(self_described);
  head.begin_array();
  append_(head.encoded());
  Cbor content;
  content.array(2);
  content.integer(nanosecond);
  content.tag(date);
  content.number(0);
  write(info, content);
}

FtrFile::Id FtrFile::word(const std::string& text) {
  const auto [entry, is_new] = words_.try_emplace(text, words_.size());
  if (is_new) {
    new_words_.number(entry->second);
    new_words_.text(text);
    ++number_of_new_words_;
  }
  return entry->second;
}

TimelineTrack FtrFile::add(Track track) {
  tracks_.push_back(std::move(track));
  return TimelineTrack{tracks_.size() - 1};
}

TimelineTrack FtrFile::add_process(int /*pid*/, const std::string& name) {
  return add({name, 0, 0, {}});
}

// Viewers take the part of a stream's name before a full stop as the place in a hierarchy.
TimelineTrack FtrFile::add_track(TimelineTrack process, const std::string& name) {
  const Id full_name = word(at(process).process + "." + name);
  Stream& stream = streams_[full_name];
  if (stream.lanes == 0) {
    stream.id = ++elements_;
    new_elements_.tag(stream_entry);
    new_elements_.array(3);
    new_elements_.number(stream.id);
    new_elements_.number(full_name);
    new_elements_.number(word("track"));
  }
  return add({"", stream.id, ++stream.lanes, {}});
}

// One of each category for each of the stream's tracks, so that its transactions do not overlap.
FtrFile::Id FtrFile::generator(Track& track, const char* category) {
  for (const Generator& one : track.generators) {
    if (std::strcmp(one.category, category) == 0) return one.id;
  }
  track.generators.push_back({category, ++elements_});
  new_elements_.tag(generator_entry);
  new_elements_.array(3);
  new_elements_.number(elements_);
  new_elements_.number(
      word(track.lane == 1 ? category : category + (" " + std::to_string(track.lane))));
  new_elements_.number(track.stream);
  return elements_;
}

void FtrFile::begin(TimelineTrack track, const TimelineSlice& slice) {
  heed(stop_);
  Track& here = at(track);
  if (stream_ != here.stream || block_.encoded().size() > chunk_size) write_transactions();
  stream_ = here.stream;
  const bool is_first = block_.encoded().empty();
  if (is_first) block_.begin_array();
  first_ = is_first ? slice.first : std::min(first_, slice.first);
  end_ = is_first ? slice.end : std::max(end_, slice.end);
  block_.array(2 + slice.words.size() + slice.numbers.size());
  block_.tag(event);
  block_.array(4);
  block_.number(++transactions_);
  block_.number(generator(here, slice.category));
  block_.integer(slice.first);
  block_.integer(slice.end);
  add_attributes(slice);
  const Transaction transaction{transactions_, here.stream};
  for (const TimelineArrow& arrow : slice.arrows) connect(arrow, transaction, true);
  for (const TimelineArrow& arrow : slice.ended_arrows) connect(arrow, transaction, false);
}

void FtrFile::add_attributes(const TimelineSlice& slice) {
  const auto add = [this](const char* name, std::uint64_t type) {
    block_.tag(attribute);
    block_.array(3);
    block_.number(word(name));
    block_.number(type);
  };
  add("name", string_type);
  block_.number(word(slice.name));
  for (const auto& [name, value] : slice.words) {
    add(name, string_type);
    block_.number(word(value));
  }
  for (const auto& [name, value] : slice.numbers) {
    add(name, integer_type);
    block_.integer(value);
  }
}

void FtrFile::connect(const TimelineArrow& arrow, const Transaction& here, bool begins_here) {
  const auto [end, is_new] = loose_.try_emplace(arrow.id(), here);
  if (is_new) return;
  const Transaction& from = begins_here ? here : end->second;
  const Transaction& to = begins_here ? end->second : here;
  if (relations_.encoded().empty()) relations_.begin_array();
  relations_.array(5);
  relations_.number(word(name_of(arrow.kind)));
  for (const Id id : {from.id, to.id, from.stream, to.stream}) relations_.number(id);
  loose_.erase(end);
  if (relations_.encoded().size() > chunk_size) write_relations();
}

void FtrFile::write_names() {
  if (number_of_new_words_ != 0) {
    Cbor content;
    content.map(number_of_new_words_);
    content.items(new_words_);
    write(dictionary, content);
    new_words_.clear();
    number_of_new_words_ = 0;
  }
  if (new_elements_.encoded().empty()) return;
  Cbor content;
  content.begin_array();
  content.items(new_elements_);
  content.end_array();
  write(directory, content);
  new_elements_.clear();
}

void FtrFile::write_transactions() {
  if (block_.encoded().empty()) return;
  write_names();
  block_.end_array();
  Cbor chunk;
  chunk.tag(transactions);
  chunk.array(4);
  chunk.number(stream_);
  chunk.integer(first_);
  chunk.integer(end_);
  chunk.bytes(block_.encoded());
  append_(chunk.encoded());
  block_.clear();
}

void FtrFile::write_relations() {
  if (relations_.encoded().empty()) return;
  write_names();
  relations_.end_array();
  write(relations, relations_);
  relations_.clear();
}

void FtrFile::write(std::uint64_t tag, const Cbor& content) {
  Cbor chunk;
  chunk.tag(tag);
  chunk.bytes(content.encoded());
  append_(chunk.encoded());
}

void FtrFile::finish() {
  write_transactions();
  write_relations();
  Cbor end;
  end.end_array();
  append_(end.encoded());
}

}  // namespace allport
