// SPDX-License-Identifier: Apache-2.0
// The name of a message in results.
#pragma once

#include <optional>
#include <string>

#include "rtl_model/base/ids.h"

namespace allport {

/// A message by name: `order` is its position in the program of its sender u. v is missing for a
/// tree or path worm.
struct MessageName {
  NodeId u{};
  std::optional<NodeId> v;
  int order = 0;
};

/// `5>9#0`, `5>all#0`
std::string name_in_words(const MessageName& name);

}  // namespace allport
