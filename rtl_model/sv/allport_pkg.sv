// SPDX-License-Identifier: Apache-2.0
// What all units of the router agree on: topologies, message kinds (docs/router.md, section 2) and
// the widths that follow from the parameters. Sides holds 16 bits per dimension, dimension 0
// lowest. Ports are numbered external ones first, then internal ones; channel VC p*Vcs + v is VC v
// of external port p, ExternalPorts*Vcs + k the only VC of internal port k, on both sides.

package allport_pkg;

  localparam int unsigned TopologyHypercube = 0;
  localparam int unsigned TopologyTorus = 1;
  localparam int unsigned TopologyMesh = 2;

  localparam int unsigned KindWidth = 3;
  localparam logic [KindWidth-1:0] KindUnicast = 3'd0;
  localparam logic [KindWidth-1:0] KindTree = 3'd2;

  // Bits of an index over n things, at least one.
  function automatic int unsigned idx_width(input int unsigned n);
    idx_width = (n > 1) ? $clog2(n) : 1;
  endfunction

  function automatic int unsigned side(input logic [47:0] sides, input int unsigned dimension);
    side = 32'(sides[16 * dimension +: 16]);
  endfunction

  function automatic int unsigned external_ports(input int unsigned topology,
                                                 input int unsigned dimensions);
    external_ports = (topology == TopologyHypercube) ? dimensions : 2 * dimensions;
  endfunction

  function automatic int unsigned tie_width(input int unsigned topology,
                                            input int unsigned dimensions);
    tie_width = (topology == TopologyHypercube) ? 1 : dimensions;
  endfunction

  // Lowest bit of a coordinate within an address; of `dimensions`: the width of the address.
  function automatic int unsigned coordinate_offset(input int unsigned topology,
                                                    input logic [47:0] sides,
                                                    input int unsigned dimension);
    coordinate_offset = 0;
    for (int unsigned i = 0; i < dimension; i++) begin
      coordinate_offset = coordinate_offset
          + ((topology == TopologyHypercube) ? 1 : idx_width(side(sides, i)));
    end
  endfunction

  function automatic int unsigned node_count(input int unsigned topology,
                                             input int unsigned dimensions,
                                             input logic [47:0] sides);
    node_count = 1;
    for (int unsigned i = 0; i < dimensions; i++) begin
      node_count = node_count * ((topology == TopologyHypercube) ? 2 : side(sides, i));
    end
  endfunction

  // Whether the parameters of a router are within range; sides are at least 2, and a torus halves
  // its VCs between the classes, so it takes an even number of them or one.
  function automatic bit is_valid(input int unsigned topology, input int unsigned dimensions,
                                  input logic [47:0] sides, input int unsigned internal_ports,
                                  input int unsigned vcs, input int unsigned depth,
                                  input int unsigned replication_delay,
                                  input int unsigned data_width);
    is_valid = (topology <= TopologyMesh) && (dimensions >= 1)
        && (dimensions <= ((topology == TopologyHypercube) ? 10 : 3))
        && (internal_ports >= 1) && (internal_ports <= external_ports(topology, dimensions))
        && (vcs >= 1) && (vcs <= 16)
        && ((topology != TopologyTorus) || (vcs == 1) || (vcs % 2 == 0))
        && (depth >= 1) && (depth <= 4096) && (replication_delay <= 1024) && (data_width >= 1);
    for (int unsigned i = 0; i < ((topology == TopologyHypercube) ? 0 : dimensions); i++) begin
      is_valid = is_valid && (side(sides, i) >= 2);
    end
  endfunction

endpackage
