// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/sentence.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "rtl_model/base/stop_flag.h"

namespace allport {
namespace {

// As a library's exception derives from ours.
struct Foreign : std::runtime_error {
  Foreign() : std::runtime_error("[library.101] parse error") {}
};

TEST(Sentence, OfOursIsWhatTheySay) {
  EXPECT_EQ(sentence_of(std::invalid_argument("a sentence")), "a sentence");
  EXPECT_EQ(sentence_of(std::runtime_error("a sentence")), "a sentence");
  EXPECT_EQ(sentence_of(std::logic_error("a sentence")), "a sentence");
  EXPECT_EQ(sentence_of(Stopped()), "interrupted");
}

TEST(Sentence, OfALibraryIsOneOfOurs) {
  const std::string own =
      "the program came upon an error of its own, which no input explains; please report the command that led to it";
  EXPECT_EQ(sentence_of(Foreign()), own);
  EXPECT_EQ(sentence_of(std::out_of_range("vector::_M_range_check")), own);
  EXPECT_EQ(sentence_of(std::length_error("basic_string::append")), own);
}

TEST(Sentence, OfAFileNamesIt) {
  const auto denied = std::make_error_code(std::errc::permission_denied);
  EXPECT_EQ(sentence_of(std::filesystem::filesystem_error("cannot create", "a/b", denied)),
            "a/b: Permission denied");
  EXPECT_EQ(sentence_of(std::system_error(denied, "cannot start a thread")),
            "the system refuses what the program needs: Permission denied");
}

}  // namespace
}  // namespace allport
