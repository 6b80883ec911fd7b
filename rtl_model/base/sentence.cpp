// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/sentence.h"

#include <filesystem>
#include <stdexcept>
#include <typeinfo>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/stop_flag.h"

namespace allport {

namespace {

// No library that is used derives from std::invalid_argument; several do from the others.
bool is_ours(const std::exception& error) {
  if (dynamic_cast<const std::invalid_argument*>(&error) != nullptr) return true;
  if (dynamic_cast<const Stopped*>(&error) != nullptr) return true;
  const std::type_info& type = typeid(error);
  return type == typeid(std::runtime_error) || type == typeid(std::logic_error);
}

}  // namespace

std::string sentence_of(const std::exception& error) {
  if (is_ours(error)) return error.what();
  if (const auto* of_file = dynamic_cast<const std::filesystem::filesystem_error*>(&error)) {
    return shown_path(of_file->path1().string()) + ": " + of_file->code().message();
  }
  if (const auto* of_system = dynamic_cast<const std::system_error*>(&error)) {
    return "the system refuses what the program needs: " + of_system->code().message();
  }
  return "the program came upon an error of its own, which no input explains; please report the command that led to it";
}

}  // namespace allport
