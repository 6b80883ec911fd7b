// SPDX-License-Identifier: Apache-2.0
// PairCounts are the bytes that each rank of an alltoall sends to each other one (MPI_Alltoallv,
// docs/collectives.md). They are read from a CSV file: cell j of line i is what rank i sends to
// rank j.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "rtl_model/base/ids.h"
#include "traffic/schedule/collective.h"

namespace allport {

struct PairCounts {
  std::string name;  ///< of its file
  std::size_t ranks = 0;
  std::vector<std::size_t> bytes;  ///< of rank i for rank j at i * ranks + j

  /// Of the pairs of two different ranks: what a rank keeps is not sent, whatever its cell says.
  std::size_t of_pair(std::size_t from, std::size_t to) const {
    return from == to ? 0 : bytes[from * ranks + to];
  }
  std::size_t largest() const;
  std::size_t total() const;
  /// A number that tells tables apart by what is sent.
  std::string digest() const;
};

/// Reads as many lines as a line has cells: bytes, 0 or more, alone or with KiB, MiB or GiB. Blank
/// lines and lines that begin with `#` count for nothing. Throws std::invalid_argument, one
/// sentence that names file and line, for what is no such table, and where nothing is to be sent.
PairCounts read_counts(std::istream& in, const std::string& name);

/// The flits, of `flit_bytes` bytes each, of the blocks of an alltoall whose rank r is on node r of
/// `nodes_of_ranks`; empty: ranks are in the order of their nodes.
PairLengths pair_lengths(const PairCounts& counts, int flit_bytes,
                         const std::vector<NodeId>& nodes_of_ranks = {});

}  // namespace allport
