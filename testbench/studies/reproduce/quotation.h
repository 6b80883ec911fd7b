// SPDX-License-Identifier: Apache-2.0
// A Quotation is what a document says in one place, in the document's words: several claims may
// stand on one.
#pragma once

#include <string>
#include <utility>

namespace allport {

struct Quotation {
  std::string place;  ///< key of docs/papers.md and place; `allport, PLACE` for a property
  std::string words;  ///< words of the document, whole; empty: a property, which no document states

  Quotation() = default;
  Quotation(std::string place, std::string words)
      : place(std::move(place)), words(std::move(words)) {}
  /// A property of allport, as `allport, PLACE`.
  Quotation(std::string place) : place(std::move(place)) {}  // NOLINT(google-explicit-constructor)
  Quotation(const char* place) : place(place) {}             // NOLINT(google-explicit-constructor)
};

}  // namespace allport
