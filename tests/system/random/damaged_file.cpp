// SPDX-License-Identifier: Apache-2.0
#include "tests/system/random/damaged_file.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/traffic/tasks/wire.h"

namespace allport::test {

const char* const sound_scenario = R"(# a scenario
[fabric]
topology = "hypercube:4"
routing = 'descending'
ports = "all"
[router]
vcs = 2
buffer_depth = 8
[message]
flits = 16
[node]
ts = 20
tr = 0b11
[traffic]
algorithm = "wsort"
source = [0]
destinations = [1, 3, "0b111", 9]
trials = 2
seed = 0x7f
[observe]
strict = true
model = "systemc"
)";

const char* const sound_pattern = R"([fabric]
topology = "torus:4x4"
[message]
flits = 4
flits_long = 8
long_fraction = 0.25
[traffic]
pattern = "hotspot"
rate = 1e-1
cycles = 2_00
hotspot = "1,2"
hotspot_fraction = 0.5
)";

const char* const sound_grid = R"([fabric]
topology = ["hypercube:3", "torus:4x4"]
[message]
flits = [1, 2]
[node]
ts = "0:20:10"
[traffic]
algorithm = ["separate", "ucube"]
seed = "1..2"
[sweep]
zip = [["flits", "seed"]]
)";

const char* const sound_schedule =
    "{\"u\":0,\"v\":4,\"step\":1,\"order\":0}\n"
    "{\"u\":0,\"v\":2,\"step\":2,\"order\":1,\"kind\":\"unicast\"}\n"
    "{\"u\":4,\"v\":6,\"step\":2,\"order\":0}\n"
    "{\"u\":0,\"v\":1,\"step\":3,\"order\":2}\n"
    "{\"u\":2,\"v\":3,\"step\":3,\"order\":0}\n"
    "{\"u\":4,\"v\":5,\"step\":3,\"order\":1}\n"
    "{\"u\":6,\"v\":7,\"step\":3,\"order\":0}\n";

const char* const sound_trace = R"(# two ranks
0 init 1
1 init 1
0 irecv 1 5 64 6
0 isend 1 4 10
1 recv 0 4 10
1 send 0 5 64 6
0 compute 2e3
0 waitall
0 allreduce 7 100
1 allreduce 7 100
0 barrier
1 barrier
0 alltoallv 1 0 5 1 0 3 6 6
1 alltoallv 1 3 0 1 5 0 6 6
0 finalize
1 finalize
)";

const char* const sound_goal = R"(num_ranks 2 // two ranks
rank 0 {
  a: calc 100 cpu 1
  b: send 64b to 1 tag 7 nic 2
  b requires a
}
rank 1 {
  a: recv 64b from -1 tag 7
  c: calc 50
  c requires a /* then */
  a irequires d
  d: calc 1
}
)";

const char* const sound_plan = R"({"name": "p", "collective": "allgather", "protocol": "LL",
 "inplace": true, "gpus": [
 {"id": 0, "input_chunks": 1, "output_chunks": 2, "scratch_chunks": 2, "threadblocks": [
  {"id": 0, "ops": [
    {"name": "ppkt", "src_buff": [{"type": "o", "index": 0, "size": 1}],
     "dst_buff": [{"buffer_id": 0, "index": 0, "size": 1}], "channel_type": "memory"},
    {"name": "upkt", "src_buff": [{"type": "s", "index": 1, "size": 1}],
     "dst_buff": [{"type": "o", "index": 1, "size": 1}]},
    {"name": "barrier", "barrier_id": 0, "num_threadblocks": 1},
    {"name": "signal", "channel_ids": [0], "channel_type": "memory"}],
   "channels": [{"channel_type": "memory", "channel_ids": [0]}],
   "remote_buffer_refs": [{"access_channel_type": "memory", "remote_buffer_ids": [0]}]}],
  "channels": [{"channel_type": "memory", "connected_to": [1]}],
  "remote_buffers": [{"rank": 1, "type": "s", "access_channel_types": ["memory"]}],
  "semaphores": [{"init_value": 1}]},
 {"id": 1, "input_chunks": 1, "output_chunks": 2, "scratch_chunks": 2, "threadblocks": [
  {"id": 0, "ops": [
    {"name": "ppkt", "src_buff": [{"type": "o", "index": 1, "size": 1}],
     "dst_buff": [{"buffer_id": 0, "index": 1, "size": 1}], "channel_type": "memory"},
    {"name": "upkt", "src_buff": [{"type": "s", "index": 0, "size": 1}],
     "dst_buff": [{"type": "o", "index": 0, "size": 1}]},
    {"name": "wait", "channel_ids": [0], "channel_type": "memory"},
    {"name": "sem_acquire", "semaphore_ids": [0]}],
   "channels": [{"channel_type": "memory", "channel_ids": [0]}],
   "remote_buffer_refs": [{"access_channel_type": "memory", "remote_buffer_ids": [0]}]}],
  "channels": [{"channel_type": "memory", "connected_to": [0]}],
  "remote_buffers": [{"rank": 0, "type": "s", "access_channel_types": ["memory"]}],
  "semaphores": [{"init_value": 1}]}]}
)";

const char* const sound_program =
    "<algo name=\"p\" nchannels=\"1\" nchunksperloop=\"8\" ngpus=\"2\" coll=\"allgather\" inplace=\"1\">\n"
    "<gpu id=\"0\" i_chunks=\"0\" o_chunks=\"8\" s_chunks=\"0\">\n"
    "<tb id=\"0\" send=\"1\" recv=\"1\" chan=\"0\">\n"
    "<step s=\"0\" type=\"s\" srcbuf=\"o\" srcoff=\"0\" dstbuf=\"o\" dstoff=\"0\" cnt=\"4\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n"
    "<step s=\"1\" type=\"r\" srcbuf=\"o\" srcoff=\"4\" dstbuf=\"o\" dstoff=\"4\" cnt=\"4\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n"
    "</tb></gpu>\n"
    "<gpu id=\"1\" i_chunks=\"0\" o_chunks=\"8\" s_chunks=\"0\">\n"
    "<tb id=\"0\" send=\"0\" recv=\"0\" chan=\"0\">\n"
    "<step s=\"0\" type=\"s\" srcbuf=\"o\" srcoff=\"4\" dstbuf=\"o\" dstoff=\"4\" cnt=\"4\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n"
    "<step s=\"1\" type=\"r\" srcbuf=\"o\" srcoff=\"0\" dstbuf=\"o\" dstoff=\"0\" cnt=\"4\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n"
    "</tb></gpu>\n"
    "</algo>\n";

const char* const sound_blocks =
    "{\"u\":0,\"v\":1,\"step\":1,\"order\":0,\"blocks\":[0]}\n"
    "{\"u\":0,\"v\":1,\"step\":2,\"order\":1,\"blocks\":[1],\"adds\":false}\n"
    "{\"u\":0,\"v\":3,\"step\":3,\"order\":2,\"kind\":\"multidestination\",\"via\":[1],\"blocks\":[0,1]}\n"
    "{\"u\":0,\"v\":15,\"step\":4,\"order\":3,\"dx\":-1,\"dy\":-1,\"kind\":\"deposit\"}\n"
    "{\"u\":0,\"v\":null,\"step\":5,\"order\":4,\"kind\":\"tree\",\"displacement\":[1,1]}\n";

std::string sound_chakra(int rank) {
  const auto peer = static_cast<std::uint64_t>(1 - rank);
  const auto message = [&](std::uint64_t id, std::uint64_t kind, const char* key) {
    return delimited(wire_number(1, id) + wire_text(2, "message") + wire_number(3, kind) +
                     attribute(key, 9, peer) + attribute("comm_size", 9, 64) +
                     attribute("comm_tag", 9, 1));
  };
  return delimited(wire_text(1, "0.0.4")) + message(0, 5, "comm_dst") + message(1, 6, "comm_src");
}

namespace {

std::string piece(Draw& draw) {
  // clang-format off
  static const std::vector<std::string> pieces{
      "[", "]", "{", "}", "\"", "'", "\"\"\"", ",", ".", "=", "#", "\n", "\r\n", "\t", "\\",
      "\\u0000", "null", "true", "nan", "-inf", "1e999", "-1", "0", "99999999999999999999",
      "1979-05-27", "07:32:00", "[[", "]]", "a.b.c", "\xff", "\xef\xbb\xbf", "\xed\xa0\x80",
      "\"u\":0,", "\"blocks\":[0],", "\"via\":[2],", "\"kind\":\"path\",", "\"kind\":\"label\",",
      "\"first_dimension\":1,", "\"dx\":1,",
      "flits = [1, [2]]\n", "[sweep]\n", "zip = [[\"ts\", \"ts\"]]\n", "flits = 2\n",
      "[traffic]\n", "trials = 1000000\n", "\"1..99999999\"", std::string(300, '['),
      std::string(300, '{'), std::string(1, '\0')};
  // clang-format on
  return draw.one_of(pieces);
}

// Text that is not a number, or not one that fits, and text that overflows the stack of a recursive
// reader.
std::string instead_of_a_number(Draw& draw) {
  static const std::string deep_list = std::string(100000, '[') + std::string(100000, ']');
  static const std::string deep_key = [] {
    std::string key = "a";
    for (int i = 0; i < 50000; ++i) key += ".a";
    return key;
  }();
  return draw.one_of(std::vector<std::string>{"1e999", "-1e999", "1.5", "-1", "\"x\"", "null", "{}",
                                              "[]", "[[1]]", "0", "4294967296", "1e9", deep_list,
                                              "{ " + deep_key + " = 1 }\n[" + deep_key + "]\n"});
}

// Replaces the first number after a random place.
void replace_number(std::string& text, Draw& draw) {
  const auto is_of_number = [](char c) { return (c >= '0' && c <= '9') || c == '-' || c == '.'; };
  const auto from = text.begin() + draw.below(static_cast<int>(text.size()) + 1);
  const auto begin = std::find_if(from, text.end(), is_of_number);
  const auto end = std::find_if_not(begin, text.end(), is_of_number);
  text.replace(begin, end, instead_of_a_number(draw));
}

}  // namespace

std::string damaged(std::string text, Draw& draw) {
  for (int rounds = 1 + draw.below(4); rounds > 0; --rounds) {
    const auto size = static_cast<int>(text.size());
    const auto at = static_cast<std::size_t>(draw.below(size + 1));
    const auto length = static_cast<std::size_t>(draw.below(20));
    switch (draw.below(8)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, piece(draw));
        break;
      case 2:
        text.insert(at, text.substr(static_cast<std::size_t>(draw.below(size + 1)), 40));
        break;
      case 3:
        text.resize(at);
        break;
      case 4:
        if (at < text.size()) text[at] = static_cast<char>(draw.below(256));
        break;
      case 5:
      case 6:
        replace_number(text, draw);
        break;
      default:
        text.replace(at, std::min(length, text.size() - at), piece(draw));
    }
  }
  return text;
}

}  // namespace allport::test
