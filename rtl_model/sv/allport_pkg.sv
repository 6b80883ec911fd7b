// SPDX-License-Identifier: Apache-2.0
// The common definitions of all units of the router: topologies, message kinds, switching modes
// (docs/router.md, section 2) and the widths that follow from the parameters. A header is, from the
// top: kind, length, join, via, ties, address. Length exists for the two switching modes that use
// it, via for MaxVia of 1 or more: a count, and MaxVia addresses with the next one lowest; join,
// that is type, operation and tag, for Groups of 2. For Groups of 1 or more ties have one bit per
// dimension on a hypercube, too: in a tree they are the free dimensions of its group. Sides holds
// 16 bits per dimension, dimension 0 lowest. Ports are numbered with the external ones first;
// channel VC p*Vcs + v is VC v of external port p, and ExternalPorts*Vcs + k*Classes + c is the VC
// of message class c of internal port k, on both sides. Message class c has the ClassVcs VCs from
// c*ClassVcs on of each external port; with a routing table these are cut into Tables layers of
// LayerVcs VCs. The header of such a router is that of a mesh of one dimension whose side is the
// number of destinations.

package allport_pkg;

  // Each of the modules uses a part of these.
  // verilator lint_off UNUSEDPARAM
  localparam int unsigned TopologyHypercube = 0;
  localparam int unsigned TopologyTorus = 1;
  localparam int unsigned TopologyMesh = 2;

  localparam int unsigned KindWidth = 3;
  // Waves show these words where a signal has this type.
  typedef enum logic [KindWidth-1:0] {
    KindUnicast          = 3'd0,
    KindDeposit          = 3'd1,
    KindTree             = 3'd2,
    KindMultidestination = 3'd3,
    KindPath             = 3'd4,
    KindLabel            = 3'd5,
    KindJoin             = 3'd6,
    KindJoinTree         = 3'd7
  } kind_e;

  // A router's parameter Groups: 0, 1 for trees of groups on every topology, or joins as well.
  localparam int unsigned GroupsJoins = 2;
  // Bits of the tag, operation and type of a join, the tag lowest.
  localparam int unsigned JoinWidth = 16;

  // Switching modes; 0 is wormhole.
  localparam int unsigned SwitchingCutThrough = 1;
  localparam int unsigned SwitchingStoreAndForward = 2;
  localparam int unsigned SwitchingCircuit = 3;

  // Bits of the length of a message, which is no longer than a buffer, 4096 flits.
  localparam int unsigned LengthWidth = 13;
  // verilator lint_on UNUSEDPARAM

  // Whether a message of this kind is combined from the contributions of a group: KindJoin and
  // KindJoinTree. (Yosys 0.23 knows no words of an enumeration in a package's function.)
  function automatic logic is_join(input logic [KindWidth-1:0] kind);
    is_join = (kind | 3'd1) == 3'd7;
  endfunction

  // Bits of an index over n things, at least one.
  function automatic int unsigned idx_width(input int unsigned n);
    idx_width = (n > 1) ? $clog2(n) : 1;
  endfunction

  function automatic int unsigned side(input logic [47:0] sides, input int unsigned dimension);
    side = 32'(sides[16 * dimension +: 16]);
  endfunction

  // Three sides in one vector; 0 if one does not fit.
  function automatic logic [47:0] side_vector(input int unsigned side0, input int unsigned side1,
                                        input int unsigned side2);
    side_vector = {16'((side2 > 65535) ? 0 : side2), 16'((side1 > 65535) ? 0 : side1),
             16'((side0 > 65535) ? 0 : side0)};
  endfunction

  // Whether the two ways to give the sides agree, if both are used.
  function automatic logic agree(input logic [47:0] vector, input int unsigned side0,
                                 input int unsigned side1, input int unsigned side2);
    agree = (vector == side_vector(side0, side1, side2))
        || ((side0 == 0) && (side1 == 0) && (side2 == 0));
  endfunction

  function automatic int unsigned external_ports(input int unsigned topology,
                                                 input int unsigned dimensions);
    external_ports = (topology == TopologyHypercube) ? dimensions : 2 * dimensions;
  endfunction

  function automatic int unsigned tie_width(input int unsigned topology,
                                            input int unsigned dimensions);
    tie_width = (topology == TopologyHypercube) ? 1 : dimensions;
  endfunction

  // The same where the ties of trees are masks of dimensions.
  function automatic int unsigned group_tie_width(input int unsigned topology,
                                                  input int unsigned dimensions,
                                                  input int unsigned groups);
    group_tie_width = (groups > 0) ? dimensions : tie_width(topology, dimensions);
  endfunction

  // Lowest bit of a coordinate within an address; for `dimensions` it is the width of the address.
  function automatic int unsigned coordinate_offset(input int unsigned topology,
                                                    input logic [47:0] sides,
                                                    input int unsigned dimension);
    coordinate_offset = 0;
    for (int unsigned i = 0; i < dimension; i++) begin
      coordinate_offset = coordinate_offset
          + ((topology == TopologyHypercube) ? 1 : idx_width(side(sides, i)));
    end
  endfunction

  // The address of a node on the pins: its coordinates side by side, dimension 0 lowest. Numbers of
  // nodes are mixed radix, dimension 0 fastest.
  function automatic logic [47:0] node_address(input int unsigned topology,
                                               input int unsigned dimensions,
                                               input logic [47:0] sides, input int unsigned node);
    int unsigned rest, coordinate;
    rest = node;
    node_address = (topology == TopologyHypercube) ? 48'(node) : '0;
    for (int unsigned i = 0; i < ((topology == TopologyHypercube) ? 0 : dimensions); i++) begin
      coordinate = rest % side(sides, i);
      node_address = node_address
          | (48'(coordinate) << coordinate_offset(topology, sides, i));
      rest = rest / side(sides, i);
    end
  endfunction

  function automatic int unsigned dimension_of(input int unsigned topology,
                                               input int unsigned port);
    dimension_of = (topology == TopologyHypercube) ? port : port / 2;
  endfunction

  // Eight bits for each external port, port 0 lowest: the phits of a flit on the channels of the
  // port's dimension, of which there are eight bits each in `phits`, dimension 0 lowest.
  function automatic logic [159:0] port_phits(input int unsigned topology,
                                              input int unsigned dimensions,
                                              input logic [79:0] phits);
    port_phits = '0;
    for (int unsigned i = 0; i < external_ports(topology, dimensions); i++) begin
      port_phits[8 * i +: 8] = phits[8 * dimension_of(topology, i) +: 8];
    end
  endfunction

  // Whether none is more than 64, and those of dimensions that do not exist are 0.
  function automatic logic are_phits(input int unsigned dimensions, input logic [79:0] phits);
    are_phits = 1'b1;
    for (int unsigned i = 0; i < 10; i++) begin
      if (32'(phits[8 * i +: 8]) > ((i < dimensions) ? 64 : 0)) are_phits = 1'b0;
    end
  endfunction

  // The replay lines of channels with retry have sixteen bits for each dimension, dimension 0
  // lowest: 0, or D = 2s + 2d + x, with d of 0 .. 1024. Whether these are such, and those of
  // dimensions that do not exist are 0.
  function automatic logic are_replays(input int unsigned dimensions, input logic [159:0] retry,
                                       input logic [79:0] phits,
                                       input int unsigned crossbar_delay);
    int unsigned replay, least;
    are_replays = 1'b1;
    for (int unsigned i = 0; i < 10; i++) begin
      replay = 32'(retry[16 * i +: 16]);
      least = crossbar_delay + 2 * ((phits[8 * i +: 8] > 8'd1) ? 32'(phits[8 * i +: 8]) : 1);
      if ((replay != 0)
          && ((i >= dimensions) || (replay < least) || (replay > least + 2048)
              || ((replay - least) % 2 != 0))) are_replays = 1'b0;
    end
  endfunction

  // Whether heads move only if there is room for their whole message.
  function automatic logic needs_room(input int unsigned switching);
    needs_room = (switching == SwitchingCutThrough) || (switching == SwitchingStoreAndForward);
  endfunction

  // Bits of the destinations after the one in the address, including their count.
  function automatic int unsigned via_width(input int unsigned max_via,
                                            input int unsigned address_width);
    via_width = (max_via > 0) ? idx_width(max_via + 1) + max_via * address_width : 0;
  endfunction

  function automatic int unsigned group_header_width(input int unsigned topology,
                                                     input int unsigned dimensions,
                                                     input logic [47:0] sides,
                                                     input int unsigned switching,
                                                     input int unsigned max_via,
                                                     input int unsigned groups);
    group_header_width = KindWidth + (needs_room(switching) ? LengthWidth : 0)
        + ((groups >= GroupsJoins) ? JoinWidth : 0)
        + via_width(max_via, coordinate_offset(topology, sides, dimensions))
        + group_tie_width(topology, dimensions, groups)
        + coordinate_offset(topology, sides, dimensions);
  endfunction

  function automatic int unsigned header_width(input int unsigned topology,
                                               input int unsigned dimensions,
                                               input logic [47:0] sides,
                                               input int unsigned switching,
                                               input int unsigned max_via);
    header_width = group_header_width(topology, dimensions, sides, switching, max_via, 0);
  endfunction

  // Width of tuser on AXI4-Streams: from the top tag, length, ties, kind.
  function automatic int unsigned user_width(input int unsigned topology,
                                             input int unsigned dimensions,
                                             input int unsigned switching,
                                             input int unsigned tag_width);
    user_width = tag_width + (needs_room(switching) ? LengthWidth : 0)
        + tie_width(topology, dimensions) + KindWidth;
  endfunction

  function automatic int unsigned node_count(input int unsigned topology,
                                             input int unsigned dimensions,
                                             input logic [47:0] sides);
    node_count = 1;
    for (int unsigned i = 0; i < dimensions; i++) begin
      node_count = node_count * ((topology == TopologyHypercube) ? 2 : side(sides, i));
    end
  endfunction

  // A router: the parameters of allport_router, and what follows from them. Units take it whole, so
  // a new parameter stands here, in the lists of the tops and where it matters.
  typedef struct packed {
    int unsigned  Topology;
    int unsigned  Dimensions;
    logic [47:0]  Sides;
    logic         Ascending;
    int unsigned  InternalPorts;
    int unsigned  Vcs;
    int unsigned  Depth;
    int unsigned  ReplicationDelay;
    int unsigned  DataWidth;
    logic         Replication;
    logic         IntermediateReception;
    int unsigned  Switching;
    int unsigned  MaxVia;
    logic         Adaptive;
    logic         Balanced;
    int unsigned  Groups;
    int unsigned  CombineDelay;
    int unsigned  JoinVcs;
    int unsigned  CombineWidth;
    logic         Floats;
    logic [159:0] PortPhits;      // Phits of each external port, eight bits each
    int unsigned  Classes;
    int unsigned  RouteDelay;
    int unsigned  VcDelay;
    int unsigned  CrossbarDelay;
    int unsigned  Tables;         // layers of the routing table, 1 .. 16; 0: there is none
    int unsigned  ExternalPorts;
    int unsigned  Ports;
    int unsigned  ExternalVcs;    // of all external ports, on either side
    int unsigned  InputVcs;       // of all ports; there are as many output VCs
    int unsigned  UnicastVcs;     // of Vcs, those that are not for joins and trees alone
    int unsigned  ClassVcs;       // of UnicastVcs, those of one message class
    int unsigned  LayerVcs;       // of ClassVcs, those of one layer of the table
    int unsigned  ClassWidth;     // of a head's class of VCs, or layer
    int unsigned  VcWidth;
    int unsigned  AddressWidth;
    int unsigned  TieWidth;
    int unsigned  HeaderWidth;
    int unsigned  StoredWidth;    // a flit without its vc
    int unsigned  FlitWidth;
    int unsigned  RowWidth;       // of the number of a row of the table
    int unsigned  HopWidth;       // of a row
    logic         VcClasses;      // of ClassVcs the lower half is for class 0
    logic         BranchClasses;  // each branch has a class of its own
    logic         NeedsRoom;      // a head waits for room for its whole message
    logic         HasJoins;
    logic         IsValid;        // all parameters are within range
  } router_config_t;

  // Most external ports of a router with a table, and most rows of the table.
  localparam int unsigned MostTablePorts = 32;
  localparam int unsigned MostTableRows = 65536;

  // Rows of a table: those of each layer by which a head may come, and last of injection, each with
  // a place for every address.
  function automatic int unsigned table_rows(input int unsigned tables, input int unsigned nodes);
    table_rows = (tables + 1) << idx_width(nodes);
  endfunction

  // The parameters of allport_router in their order, and those that only a router with a table has:
  // its layers, and its external ports, which follow from the topology elsewhere. Members are set
  // in their order: Yosys 0.23 has no assignment patterns, and no members of a structure in
  // constant functions.
  // Sides are at least 2, and a torus halves its VCs between the classes, so it takes an even
  // number of them or one. Adaptive routing is for hypercubes, from the highest dimension down, and
  // takes two VCs at least. This holds for the VCs of each message class, which are equally many;
  // joins have one message class. A table is for unicasts and deposits, whose ways are nobody
  // else's.
  function automatic router_config_t any_router_config(input int unsigned topology,
                                                       input int unsigned dimensions,
                                                       input logic [47:0] sides,
                                                       input int unsigned ascending,
                                                       input int unsigned internal_ports,
                                                       input int unsigned vcs,
                                                       input int unsigned depth,
                                                       input int unsigned replication_delay,
                                                       input int unsigned data_width,
                                                       input int unsigned replication,
                                                       input int unsigned intermediate_reception,
                                                       input int unsigned switching,
                                                       input int unsigned max_via,
                                                       input int unsigned adaptive,
                                                       input int unsigned balanced,
                                                       input int unsigned groups,
                                                       input int unsigned combine_delay,
                                                       input int unsigned join_vcs,
                                                       input int unsigned combine_width,
                                                       input int unsigned floats,
                                                       input logic [79:0] phits,
                                                       input int unsigned classes,
                                                       input int unsigned route_delay,
                                                       input int unsigned vc_delay,
                                                       input int unsigned crossbar_delay,
                                                       input int unsigned tables,
                                                       input int unsigned ports);
    int unsigned external, unicast_vcs, used_classes, class_vcs, header, stored;
    int unsigned layers, layer_vcs, class_width, row_width, hop_width;
    logic vc_classes, has_joins, is_valid;
    external = (tables > 0) ? ports : external_ports(topology, dimensions);
    unicast_vcs = vcs - join_vcs;
    used_classes = ((classes >= 1) && (classes <= unicast_vcs)) ? classes : 1;
    class_vcs = unicast_vcs / used_classes;
    layers = ((tables >= 1) && (tables <= class_vcs)) ? tables : 1;
    layer_vcs = class_vcs / layers;
    class_width = idx_width(layers);
    header = group_header_width(topology, dimensions, sides, switching, max_via, groups);
    stored = 2 + header + data_width;
    row_width = (tables > 0) ? idx_width(table_rows(layers, side(sides, 0))) : 1;
    hop_width = (tables > 0) ? idx_width(external + 1) + class_width : 1;
    vc_classes = (topology == TopologyTorus) && (class_vcs > 1);
    has_joins = groups >= GroupsJoins;
    is_valid = (topology <= TopologyMesh) && (dimensions >= 1)
        && (dimensions <= ((topology == TopologyHypercube) ? 10 : 3))
        && (ascending <= 1) && (internal_ports >= 1) && (internal_ports <= external)
        && (unicast_vcs >= 1) && (unicast_vcs <= 16) && (vcs <= 16)
        && (classes == used_classes) && (classes <= 8) && (classes * class_vcs == unicast_vcs)
        && ((topology != TopologyTorus) || (class_vcs == 1) || (class_vcs % 2 == 0))
        && (depth >= 1) && (depth <= 4096) && (replication_delay <= 1024) && (data_width >= 1)
        && (replication <= 1) && (intermediate_reception <= 1)
        && (switching <= SwitchingCircuit) && (max_via <= 15)
        && (adaptive <= 1) && (balanced <= 1) && ((balanced == 0) || vc_classes)
        && ((adaptive == 0)
            || ((topology == TopologyHypercube) && (class_vcs >= 2) && (ascending == 0)))
        && (groups <= GroupsJoins)
        && ((groups == 0) || ((replication == 1) && (adaptive == 0)))
        && (combine_delay <= 1024) && (join_vcs <= 2) && (floats <= 1)
        && are_phits(dimensions, phits)
        && (route_delay <= 4) && (vc_delay <= 4) && (crossbar_delay <= 4)
        && (has_joins ? (switching <= SwitchingCutThrough) && (classes == 1)
                            && (combine_width <= data_width)
                            && ((combine_width == 32) || (combine_width == 64))
                      : (combine_delay == 0) && (join_vcs == 0))
        && ((tables == 0)
            || ((tables == layers) && (layers * layer_vcs == class_vcs)
                && (external <= MostTablePorts) && (groups == 0) && (max_via == 0)
                && (table_rows(layers, side(sides, 0)) <= MostTableRows)));
    for (int unsigned i = 0; i < ((topology == TopologyHypercube) ? 0 : dimensions); i++) begin
      is_valid = is_valid && (side(sides, i) >= 2);
    end
    any_router_config = {
        topology, dimensions, sides, ascending != 0, internal_ports, vcs, depth, replication_delay,
        data_width, replication != 0, intermediate_reception != 0, switching, max_via,
        adaptive != 0, balanced != 0, groups, combine_delay, join_vcs, combine_width, floats != 0,
        port_phits(topology, dimensions, phits), used_classes, route_delay, vc_delay,
        crossbar_delay, (tables > 0) ? layers : 0, external, external + internal_ports,
        external * vcs, external * vcs + internal_ports * used_classes,
        unicast_vcs, class_vcs, layer_vcs, class_width, idx_width(vcs),
        coordinate_offset(topology, sides, dimensions),
        group_tie_width(topology, dimensions, groups), header, stored, idx_width(vcs) + stored,
        row_width, hop_width,
        vc_classes, groups > 0, needs_room(switching), has_joins, is_valid};
  endfunction

  // Its arguments have the order of allport_router's parameters.
  function automatic router_config_t router_config(input int unsigned topology,
                                                   input int unsigned dimensions,
                                                   input logic [47:0] sides,
                                                   input int unsigned ascending,
                                                   input int unsigned internal_ports,
                                                   input int unsigned vcs,
                                                   input int unsigned depth,
                                                   input int unsigned replication_delay,
                                                   input int unsigned data_width,
                                                   input int unsigned replication,
                                                   input int unsigned intermediate_reception,
                                                   input int unsigned switching,
                                                   input int unsigned max_via,
                                                   input int unsigned adaptive,
                                                   input int unsigned balanced,
                                                   input int unsigned groups,
                                                   input int unsigned combine_delay,
                                                   input int unsigned join_vcs,
                                                   input int unsigned combine_width,
                                                   input int unsigned floats,
                                                   input logic [79:0] phits,
                                                   input int unsigned classes,
                                                   input int unsigned route_delay,
                                                   input int unsigned vc_delay,
                                                   input int unsigned crossbar_delay);
    router_config = any_router_config(
        topology, dimensions, sides, ascending, internal_ports, vcs, depth, replication_delay,
        data_width, replication, intermediate_reception, switching, max_via, adaptive, balanced,
        groups, combine_delay, join_vcs, combine_width, floats, phits, classes, route_delay,
        vc_delay, crossbar_delay, 0, 0);
  endfunction

  // A router with a table: its arguments have the order of allport_table_router's parameters.
  function automatic router_config_t table_router_config(input int unsigned tables,
                                                         input int unsigned nodes,
                                                         input int unsigned ports,
                                                         input int unsigned internal_ports,
                                                         input int unsigned vcs,
                                                         input int unsigned depth,
                                                         input int unsigned data_width,
                                                         input int unsigned intermediate_reception,
                                                         input int unsigned switching,
                                                         input int unsigned classes,
                                                         input int unsigned route_delay,
                                                         input int unsigned vc_delay,
                                                         input int unsigned crossbar_delay);
    table_router_config = any_router_config(
        TopologyMesh, 1, side_vector(nodes, 0, 0), 0, internal_ports, vcs, depth, 0, data_width, 0,
        intermediate_reception, switching, 0, 0, 0, 0, 0, 0, 32, 0, '0, classes, route_delay,
        vc_delay, crossbar_delay, (tables > 0) ? tables : 17, ports);
  endfunction

  // A router with AXI4-Streams: the data of a flit are, from the top, source, tag, keep, payload.
  function automatic router_config_t axis_router_config(input int unsigned topology,
                                                        input int unsigned dimensions,
                                                        input logic [47:0] sides,
                                                        input int unsigned ascending,
                                                        input int unsigned internal_ports,
                                                        input int unsigned vcs,
                                                        input int unsigned depth,
                                                        input int unsigned replication_delay,
                                                        input int unsigned replication,
                                                        input int unsigned intermediate_reception,
                                                        input int unsigned switching,
                                                        input int unsigned adaptive,
                                                        input int unsigned route_delay,
                                                        input int unsigned vc_delay,
                                                        input int unsigned crossbar_delay,
                                                        input int unsigned bytes,
                                                        input int unsigned tag_width);
    axis_router_config = router_config(
        topology, dimensions, sides, ascending, internal_ports, vcs, depth, replication_delay,
        coordinate_offset(topology, sides, dimensions) + tag_width + 9 * bytes, replication,
        intermediate_reception, switching, 0, adaptive, 0, 0, 0, 0, 32, 1, '0, 1, route_delay,
        vc_delay, crossbar_delay);
  endfunction

  // verilator lint_off UNUSEDPARAM
  // Routers by name; the first is what allport_router is without parameters. Units that only a
  // router with lists, joins or a table has are those of the second, third and fourth one without
  // parameters, because tools elaborate every module on its own, too.
  localparam router_config_t Hypercube3 = router_config(
      TopologyHypercube, 3, '0, 0, 3, 1, 4, 0, 64, 1, 1, 0, 0, 0, 0, 0, 0, 0, 64, 1, '0, 1, 0, 0,
      0);
  localparam router_config_t Hypercube3Lists = router_config(
      TopologyHypercube, 3, '0, 0, 3, 1, 4, 0, 64, 1, 1, 0, 1, 0, 0, 0, 0, 0, 64, 1, '0, 1, 0, 0,
      0);
  localparam router_config_t Hypercube3Joins = router_config(
      TopologyHypercube, 3, '0, 0, 3, 1, 4, 0, 64, 1, 1, 0, 0, 0, 0, GroupsJoins, 0, 0, 64, 1, '0,
      1, 0, 0, 0);
  localparam router_config_t FourPortsTable = table_router_config(
      2, 16, 4, 1, 2, 4, 64, 1, 0, 1, 0, 0, 0);
  localparam router_config_t Torus8x8 = router_config(
      TopologyTorus, 2, side_vector(8, 8, 0), 0, 4, 2, 4, 0, 64, 1, 1, 0, 0, 0, 0, 0, 0, 0, 64, 1,
      '0, 1, 0, 0, 0);
  localparam router_config_t Torus8x8Classes = router_config(
      TopologyTorus, 2, side_vector(8, 8, 0), 0, 4, 4, 4, 0, 64, 1, 1, 0, 0, 0, 0, 0, 0, 0, 64, 1,
      '0, 2, 0, 0, 0);
  // verilator lint_on UNUSEDPARAM

  // A flit without its data, each field as wide as it can be; a field that the parameters of a
  // router leave out is ignored by pack() and 0 from unpack(). Entry i of via is bits 48*i and up.
  typedef struct packed {
    logic                   head;
    logic                   tail;
    logic [3:0]             vc;
    logic [KindWidth-1:0]   kind;
    logic [LengthWidth-1:0] length;
    logic [JoinWidth-1:0]   tag;      // type, operation, tag
    logic [3:0]             count;    // entries of via
    logic [15*48-1:0]       via;
    logic [9:0]             ties;
    logic [47:0]            address;
  } control_t;
  localparam int unsigned ControlBits = 2 + 4 + KindWidth + LengthWidth + JoinWidth + 4 + 15 * 48
      + 10 + 48;

  // A flit on the pins is {ControlWidth'(pack(..)), data}: here is ControlWidth.
  function automatic int unsigned group_control_width(input int unsigned topology,
                                                      input int unsigned dimensions,
                                                      input logic [47:0] sides,
                                                      input int unsigned vcs,
                                                      input int unsigned switching,
                                                      input int unsigned max_via,
                                                      input int unsigned groups);
    group_control_width = 2 + idx_width(vcs)
        + group_header_width(topology, dimensions, sides, switching, max_via, groups);
  endfunction

  function automatic int unsigned control_width(input int unsigned topology,
                                                input int unsigned dimensions,
                                                input logic [47:0] sides, input int unsigned vcs,
                                                input int unsigned switching,
                                                input int unsigned max_via);
    control_width = group_control_width(topology, dimensions, sides, vcs, switching, max_via, 0);
  endfunction

  // The fields side by side, as they are on the pins above the data; the parameters are those of
  // the router.
  function automatic logic [ControlBits-1:0] group_pack(input control_t fields,
                                                        input int unsigned topology,
                                                        input int unsigned dimensions,
                                                        input logic [47:0] sides,
                                                        input int unsigned vcs,
                                                        input int unsigned switching,
                                                        input int unsigned max_via,
                                                        input int unsigned groups);
    int unsigned address_width;
    address_width = coordinate_offset(topology, sides, dimensions);
    group_pack = ControlBits'({fields.head, fields.tail});
    group_pack = (group_pack << idx_width(vcs)) | ControlBits'(fields.vc);
    group_pack = (group_pack << KindWidth) | ControlBits'(fields.kind);
    if (needs_room(switching))
      group_pack = (group_pack << LengthWidth) | ControlBits'(fields.length);
    if (groups >= GroupsJoins) group_pack = (group_pack << JoinWidth) | ControlBits'(fields.tag);
    if (max_via > 0)
      group_pack = (group_pack << idx_width(max_via + 1)) | ControlBits'(fields.count);
    for (int unsigned i = max_via; i > 0; i--) begin
      group_pack = (group_pack << address_width) | ControlBits'(fields.via[48 * (i - 1) +: 48]);
    end
    group_pack = (group_pack << group_tie_width(topology, dimensions, groups))
        | ControlBits'(fields.ties);
    group_pack = (group_pack << address_width) | ControlBits'(fields.address);
  endfunction

  function automatic logic [ControlBits-1:0] pack(input control_t fields,
                                                  input int unsigned topology,
                                                  input int unsigned dimensions,
                                                  input logic [47:0] sides,
                                                  input int unsigned vcs,
                                                  input int unsigned switching,
                                                  input int unsigned max_via);
    pack = group_pack(fields, topology, dimensions, sides, vcs, switching, max_via, 0);
  endfunction

  // The lowest bits of what is left of a flit.
  function automatic logic [ControlBits-1:0] low_bits(input logic [ControlBits-1:0] rest,
                                                      input int unsigned width);
    low_bits = rest & ~({ControlBits{1'b1}} << width);
  endfunction

  // The fields of a flit whose data has been cut off.
  function automatic control_t group_unpack(input logic [ControlBits-1:0] bits,
                                            input int unsigned topology,
                                            input int unsigned dimensions,
                                            input logic [47:0] sides, input int unsigned vcs,
                                            input int unsigned switching,
                                            input int unsigned max_via,
                                            input int unsigned groups);
    int unsigned address_width;
    logic [ControlBits-1:0] rest;
    address_width = coordinate_offset(topology, sides, dimensions);
    group_unpack = '0;
    rest = bits;
    group_unpack.address = 48'(low_bits(rest, address_width));
    rest = rest >> address_width;
    group_unpack.ties = 10'(low_bits(rest, group_tie_width(topology, dimensions, groups)));
    rest = rest >> group_tie_width(topology, dimensions, groups);
    for (int unsigned i = 0; i < max_via; i++) begin
      group_unpack.via[48 * i +: 48] = 48'(low_bits(rest, address_width));
      rest = rest >> address_width;
    end
    if (max_via > 0) begin
      group_unpack.count = 4'(low_bits(rest, idx_width(max_via + 1)));
      rest = rest >> idx_width(max_via + 1);
    end
    if (groups >= GroupsJoins) begin
      group_unpack.tag = JoinWidth'(rest);
      rest = rest >> JoinWidth;
    end
    if (needs_room(switching)) begin
      group_unpack.length = LengthWidth'(rest);
      rest = rest >> LengthWidth;
    end
    group_unpack.kind = KindWidth'(rest);
    rest = rest >> KindWidth;
    group_unpack.vc = 4'(low_bits(rest, idx_width(vcs)));
    rest = rest >> idx_width(vcs);
    {group_unpack.head, group_unpack.tail} = 2'(rest);
  endfunction

  function automatic control_t unpack(input logic [ControlBits-1:0] bits,
                                      input int unsigned topology,
                                      input int unsigned dimensions,
                                      input logic [47:0] sides, input int unsigned vcs,
                                      input int unsigned switching,
                                      input int unsigned max_via);
    unpack = group_unpack(bits, topology, dimensions, sides, vcs, switching, max_via, 0);
  endfunction

endpackage
