// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/finding.h"

namespace allport {

namespace {

constexpr std::size_t most_sentences = 10;  // largest number of sentences in a finding

}  // namespace

void Finding::add(const std::string& sentence) {
  ++violations;
  if (first.size() < most_sentences) first.push_back(sentence);
}

void Finding::add(const Finding& other) {
  violations += other.violations;
  is_truncated = is_truncated || other.is_truncated;
  for (const std::string& sentence : other.first) {
    if (first.size() < most_sentences) first.push_back(sentence);
  }
  for (const PairViolation& pair : other.pairs) {
    if (pairs.size() < most_sentences) pairs.push_back(pair);
  }
}

}  // namespace allport
