// SPDX-License-Identifier: Apache-2.0
// Links of any topology that have a delay and a width of their own, by a file in CSV
// (docs/guide/fabrics.md): u,v,delay,width[,from_port].
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rtl_model/topology/topology.h"

namespace allport {

struct LinkAttributes {
  struct Link {
    std::string u, v;                 ///< names of nodes, or of routers without a processor
    std::optional<int> delay, width;  ///< cycles, and bytes a cycle; none: as all links
    std::optional<int> from_port;     ///< external port of u; none: all links between u and v
    std::size_t line = 0;             ///< of the file
  };
  std::string path;  ///< name of the file
  std::vector<Link> links;
};

/// What the file `path` says, whose text is `text`. Throws std::invalid_argument, one sentence with
/// file and line, on a line that has another form, a value out of its range, a line that says
/// nothing, and a file without a line.
LinkAttributes read_link_attributes(const std::string& path, std::string_view text);

/// A channel of a topology that has its own.
struct ChannelAttributes {
  Channel channel;
  std::optional<int> delay, width;
};

/// The channels of all links of `attributes`, both ways; of a directed graph those from u to v.
/// A link of a node that is missing has gone with it. Throws std::invalid_argument, one sentence
/// with file and line, on a link that `topology` does not have, or one that is there twice.
std::vector<ChannelAttributes> channels_of(const LinkAttributes& attributes,
                                           const Topology& topology);

}  // namespace allport
