// SPDX-License-Identifier: Apache-2.0
#include "testbench/waves/wave_translation.h"

#include <array>
#include <iomanip>
#include <sstream>

#include "testbench/waves/wave_names.h"

namespace allport {

namespace {

std::string hex(std::uint64_t value, int width) {
  std::ostringstream text;
  text << std::hex << std::setfill('0') << std::setw((width + 3) / 4) << value;
  return text.str();
}

// The names of GTKWave's colours that are dark enough for white text.
constexpr std::array<const char*, 14> message_colours{
    "blue4",       "DarkGreen",  "firebrick4", "purple4",       "DeepSkyBlue4",
    "DarkOrange4", "SeaGreen4",  "magenta4",   "RoyalBlue3",    "OliveDrab4",
    "VioletRed4",  "turquoise4", "sienna4",    "DarkSlateBlue",
};
constexpr std::array<const char*, 6> load_colours{
    "gray19", "gray24", "gray34", "gray44", "gray49", "gray54",
};

}  // namespace

void write_flit_translation(std::ostream& out) {
  const int kind = wave::flit.width;
  out << "# kind of a flit\n"
      << hex(0, kind) << " ?black? \n"
      << hex(1, kind) << " ?DarkGreen?head\n"
      << hex(2, kind) << " ?gray34?body\n"
      << hex(3, kind) << " ?firebrick4?tail\n"
      << hex(4, kind) << " ?purple4?single\n"
      << "# flits on the output channels of a router\n";
  const std::uint64_t most = (std::uint64_t{1} << wave::flits.width) - 1;
  for (std::uint64_t flits = 1; flits <= most; ++flits) {
    const std::size_t colour = std::min<std::size_t>(flits - 1, load_colours.size() - 1);
    out << hex(flits, wave::flits.width) << " ?" << load_colours[colour] << "?" << flits << "\n";
  }
  out << "# contending pairs of messages\n" << hex(0, wave::contention.width) << " ?black? \n";
  for (std::uint64_t pairs = 1; pairs <= most; ++pairs) {
    out << hex(pairs, wave::contention.width) << " ?red3?" << pairs << "\n";
  }
}

void write_message_translation(std::ostream& out, const std::vector<MessageId>& messages,
                               const MessageNames& name) {
  out << "# messages: source>destination #order in the source's program\n";
  for (const MessageId message : messages) {
    const auto number = static_cast<std::uint64_t>(message);
    out << hex(number, wave::message.width) << " ?"
        << message_colours[number % message_colours.size()] << "?" << wave_text(name(message))
        << "\n";
  }
}

}  // namespace allport
