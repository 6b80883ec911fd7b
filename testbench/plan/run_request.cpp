// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/run_request.h"

#include <filesystem>

#include "testbench/plan/rtl_request.h"

namespace allport {

std::string RtlRequest::top_name() const {
  return top.empty() && !files.empty() ? std::filesystem::path(files.back()).stem().string() : top;
}

std::string PlaceRequest::in_words() const {
  switch (kind) {
    case Kind::identity:
      return "identity";
    case Kind::gray:
      return "gray";
    case Kind::snake:
      return "snake";
    case Kind::groups:
      return "groups";
    case Kind::random:
      return seed ? "random:" + std::to_string(*seed) : "random";
    case Kind::file:
      return file.path;
  }
  return {};
}

}  // namespace allport
