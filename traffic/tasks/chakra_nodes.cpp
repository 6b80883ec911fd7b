// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/chakra_nodes.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/stubs/logging.h>

#include <limits>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "traffic/tasks/chakra_json.h"

namespace allport {

namespace {

namespace format = execution_trace;
using google::protobuf::io::CodedInputStream;

template <class Message>
bool read_message(CodedInputStream& in, int size, Message& message) {
  std::uint32_t length = 0;
  if (!in.ReadVarint32(&length)) return false;
  if (length > static_cast<std::uint32_t>(size - in.CurrentPosition())) return false;
  const auto limit = in.PushLimit(static_cast<int>(length));
  const bool is_read = message.ParseFromCodedStream(&in) && in.ConsumedEntireMessage();
  in.PopLimit(limit);
  return is_read;
}

// Metadata, then nodes, each after its length.
std::vector<ChakraNode> read_binary(const TraceFile& file) {
  if (file.text.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw std::invalid_argument(shown_path(file.name) + ": the file has more than 2^31 bytes");
  }
  const int size = static_cast<int>(file.text.size());
  const google::protobuf::LogSilencer silence;  // what is wrong is said in a sentence of ours
  CodedInputStream in(reinterpret_cast<const std::uint8_t*>(file.text.data()), size);
  format::Metadata metadata;
  if (size == 0 || !read_message(in, size, metadata)) {
    throw std::invalid_argument(shown_path(file.name) +
                                ": it does not begin with the whole metadata of a Chakra trace");
  }
  std::vector<ChakraNode> nodes;
  for (std::uint32_t number = 1; in.CurrentPosition() < size; ++number) {
    format::Node node;
    if (!read_message(in, size, node)) {
      throw std::invalid_argument(chakra_place(file, number) +
                                  "it is torn, or no node of a Chakra trace");
    }
    nodes.emplace_back(number, std::move(node));
  }
  return nodes;
}

}  // namespace

std::vector<ChakraNode> read_chakra_nodes(const TraceFile& file) {
  constexpr std::string_view binary = ".et";
  const bool is_binary =
      file.name.size() >= binary.size() &&
      file.name.compare(file.name.size() - binary.size(), binary.size(), binary) == 0;
  return is_binary ? read_binary(file) : read_chakra_json(file);
}

std::string chakra_place(const TraceFile& file, std::uint32_t number) {
  return shown_path(file.name) + ": node " + std::to_string(number) + ": ";
}

std::string chakra_place(const TraceFile& file, const ChakraNode& node) {
  const std::string& name = node.second.name();
  return chakra_place(file, node.first) + "id " + std::to_string(node.second.id()) +
         (name.empty() ? "" : ", " + shown(name, 60)) + ": ";
}

}  // namespace allport
