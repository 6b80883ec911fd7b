// SPDX-License-Identifier: Apache-2.0
// A whole fabric: the routers of a hypercube, torus, ring or mesh, joined by channels of LinkDelay
// registers. Output p of a node arrives at its neighbour's input p on a hypercube, p xor 1
// elsewhere. Pins are the nodes' internal channels, slice node*InternalPorts + k of each vector:
// injection (valid_i, flit_i, credit_o, ack_o) and ejection (valid_o, flit_o, credit_i, ack_i);
// they have one VC.
// A node's id is mixed radix, dimension 0 fastest; flits carry addresses (see allport_router).

module allport_fabric #(
  /// 0 hypercube, 1 torus (a ring is a torus of one dimension), 2 mesh.
  parameter int unsigned Topology = 0,
  /// Hypercube 1 .. 10, torus and mesh 1 .. 3.
  parameter int unsigned Dimensions = 3,
  /// Torus, mesh: the sides, 2 .. 65535; 0 for a dimension that does not exist.
  parameter int unsigned Side0 = 0,
  parameter int unsigned Side1 = 0,
  parameter int unsigned Side2 = 0,
  /// The same in one vector, as an alternative: 16 bits per dimension, dimension 0 lowest.
  parameter logic [47:0] Sides = allport_pkg::side_vector(Side0, Side1, Side2),
  /// 1: e-cube of a hypercube is from the lowest dimension.
  parameter int unsigned Ascending = 0,
  /// Injection and ejection channels, 1 .. ExternalPorts.
  parameter int unsigned InternalPorts = 3,
  /// Virtual channels of an external channel, 1 .. 16; on a torus 1 or even.
  parameter int unsigned Vcs = 1,
  /// Flits of each buffer, 1 .. 4096.
  parameter int unsigned Depth = 4,
  /// Registers added to an external channel, in both directions, 0 .. 1024.
  parameter int unsigned LinkDelay = 0,
  /// Cycles that a tree flit is held before it branches, 0 .. 1024.
  parameter int unsigned ReplicationDelay = 0,
  /// Bits of a flit's payload, 1 or more.
  parameter int unsigned DataWidth = 64,
  /// 1: tree worms are understood.
  parameter int unsigned Replication = 1,
  /// 1: deposit, multidestination, label, path and tree worms leave copies at routers they pass.
  parameter int unsigned IntermediateReception = 1,
  /// 0 wormhole, 1 cut-through, 2 store-and-forward, 3 circuit (unicasts only).
  parameter int unsigned Switching = 0,
  /// Most destinations of a multidestination or label worm after its first, 0 .. 15; 0: there are
  /// no lists, and no label worms.
  parameter int unsigned MaxVia = 0,
  /// 1: hypercube, descending, two VCs at least, unicasts only: adaptive routing.
  parameter int unsigned Adaptive = 0,
  /// 1: torus, two VCs at least: messages that never cross the wraparound channel of a dimension
  /// use the VCs of both classes there.
  parameter int unsigned Balanced = 0,
  /// 1: tree worms go to the nodes of a group, on every topology: their ties are the group's free
  /// dimensions. 2: there are joins as well. 0: trees go to all nodes of a hypercube.
  parameter int unsigned Groups = 0,
  /// Joins: cycles that operands are held before they are combined, 0 .. 1024.
  parameter int unsigned CombineDelay = 0,
  /// Joins: VCs of each external channel that serve nothing but joins and trees, 0 .. 2.
  parameter int unsigned JoinVcs = 0,
  /// Joins: the lowest bits of the payload that are combined, 32 or 64.
  parameter int unsigned CombineWidth = (DataWidth < 64) ? 32 : 64,
  /// Joins: 0: there is no unit for numbers in single precision; they are taken for integers.
  parameter int unsigned Floats = 1,
  /// Cycles that a head waits at the front of its buffer for its route, 0 .. 4.
  parameter int unsigned RouteDelay = 0,
  /// Cycles between winning a VC and asking for the switch, 0 .. 4.
  parameter int unsigned VcDelay = 0,
  /// Further cycles of a flit from the switch to the output channel, 0 .. 4.
  parameter int unsigned CrossbarDelay = 0,
  localparam allport_pkg::router_config_t Flat = allport_pkg::router_config(
      Topology, Dimensions, Sides, Ascending, InternalPorts, Vcs, Depth, ReplicationDelay,
      DataWidth, Replication, IntermediateReception, Switching, MaxVia, Adaptive, Balanced, Groups,
      CombineDelay, JoinVcs, CombineWidth, Floats, '0, 1, RouteDelay, VcDelay, CrossbarDelay),
  /// All of them in one structure, in place of the others: allport_pkg::Torus8x8, say.
  parameter allport_pkg::router_config_t Config = Flat,
  localparam int unsigned NodeCount =
      allport_pkg::node_count(Config.Topology, Config.Dimensions, Config.Sides),
  localparam int unsigned InternalChannels = NodeCount * Config.InternalPorts,
  localparam int unsigned FlitWidth = Config.FlitWidth
) (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,
  input  logic [InternalChannels-1:0]           valid_i,
  input  logic [InternalChannels*FlitWidth-1:0] flit_i,
  output logic [InternalChannels-1:0]           credit_o,
  output logic [InternalChannels-1:0]           valid_o,
  output logic [InternalChannels*FlitWidth-1:0] flit_o,
  input  logic [InternalChannels-1:0]           credit_i,
  output logic [InternalChannels-1:0]           ack_o,
  input  logic [InternalChannels-1:0]           ack_i,
  output logic [NodeCount-1:0]                  active_o  // per router, see there
);

  if (!allport_pkg::agree(Sides, Side0, Side1, Side2)) begin : gen_invalid
    $error("allport_fabric: Sides is not what Side0, Side1 and Side2 say");
  end

  if (Config.Classes != 1) begin : gen_classes
    $error("allport_fabric: its internal channels have one VC, so there is one message class");
  end

  if ((Config != Flat) && (Flat != allport_pkg::Hypercube3)) begin : gen_two_configs
    $error("allport_fabric: Config is not what the other parameters say");
  end

  localparam int unsigned ExternalPorts = Config.ExternalPorts;
  localparam int unsigned ExternalChannels = NodeCount * ExternalPorts;
  localparam int unsigned AddressWidth = Config.AddressWidth;
  localparam int unsigned VcWidth = Config.VcWidth;

  // Nodes between one coordinate and the next of a dimension.
  function automatic int unsigned stride(input int unsigned dimension);
    stride = allport_pkg::node_count(Config.Topology, dimension, Config.Sides);
  endfunction

  function automatic int unsigned coordinate(input int unsigned node, input int unsigned dimension);
    coordinate = (node / stride(dimension)) % allport_pkg::side(Config.Sides, dimension);
  endfunction

  // Whether this port leads to a node, which it does not at the edge of a mesh.
  function automatic logic has_neighbour(input int unsigned node, input int unsigned port);
    has_neighbour = 1'b1;
    if (Config.Topology == allport_pkg::TopologyMesh) begin
      has_neighbour = coordinate(node, port / 2)
          != ((port % 2 == 0) ? allport_pkg::side(Config.Sides, port / 2) - 1 : 0);
    end
  endfunction

  function automatic int unsigned neighbour(input int unsigned node, input int unsigned port);
    neighbour = node ^ (1 << port);
    if (Config.Topology != allport_pkg::TopologyHypercube) begin
      neighbour = node + (((coordinate(node, port / 2)
          + ((port % 2 == 0) ? 1 : allport_pkg::side(Config.Sides, port / 2) - 1))
          % allport_pkg::side(Config.Sides, port / 2)) * stride(port / 2))
          - (coordinate(node, port / 2) * stride(port / 2));
    end
  endfunction

  // The outputs of the routers on their external channels, by node and port.
  logic [ExternalChannels-1:0] valid, credit;
  logic [ExternalChannels*FlitWidth-1:0] flit;
  logic [ExternalChannels*VcWidth-1:0] credit_vc;
  logic [ExternalChannels*Config.Vcs-1:0] ack;

  for (genvar node = 0; node < NodeCount; node++) begin : gen_node
    localparam int unsigned Internal = node * Config.InternalPorts;
    localparam int unsigned External = node * ExternalPorts;
    logic [ExternalPorts-1:0] arriving_valid, arriving_credit;
    logic [ExternalPorts*FlitWidth-1:0] arriving_flit;
    logic [ExternalPorts*VcWidth-1:0] arriving_credit_vc;
    logic [Config.InternalPorts*VcWidth-1:0] unused_credit_vc;
    logic [ExternalPorts*Config.Vcs-1:0] arriving_ack;
    logic [Config.InternalPorts*Config.Vcs-1:0] internal_ack_in, internal_ack_out;
    // A strap: with a pin for its address all routers are one module, which a compiler of the whole
    // fabric needs to see only once.
    localparam logic [47:0] Address =
        allport_pkg::node_address(Config.Topology, Config.Dimensions, Config.Sides, node);

    for (genvar p = 0; p < ExternalPorts; p++) begin : gen_port
      if (has_neighbour(node, p)) begin : gen_link
        localparam int unsigned Far = neighbour(node, p) * ExternalPorts
            + ((Config.Topology == allport_pkg::TopologyHypercube) ? p : p ^ 1);

        allport_channel #(
          .Width(FlitWidth),
          .Delay(LinkDelay)
        ) u_flit_channel (
          .clk_i,
          .rst_ni,
          .valid_i(valid[Far]),
          .data_i(flit[Far * FlitWidth +: FlitWidth]),
          .valid_o(arriving_valid[p]),
          .data_o(arriving_flit[p * FlitWidth +: FlitWidth])
        );

        allport_channel #(
          .Width(VcWidth),
          .Delay(LinkDelay)
        ) u_credit_channel (
          .clk_i,
          .rst_ni,
          .valid_i(credit[Far]),
          .data_i(credit_vc[Far * VcWidth +: VcWidth]),
          .valid_o(arriving_credit[p]),
          .data_o(arriving_credit_vc[p * VcWidth +: VcWidth])
        );

        if (Config.Switching == allport_pkg::SwitchingCircuit) begin : gen_ack
          for (genvar v = 0; v < Config.Vcs; v++) begin : gen_vc
            logic unused_data;

            allport_channel #(
              .Width(1),
              .Delay(LinkDelay)
            ) u_ack_channel (
              .clk_i,
              .rst_ni,
              .valid_i(ack[Far * Config.Vcs + v]),
              .data_i(1'b0),
              .valid_o(arriving_ack[p * Config.Vcs + v]),
              .data_o(unused_data)
            );
          end
        end else begin : gen_no_ack
          logic unused_ack;

          assign arriving_ack[p * Config.Vcs +: Config.Vcs] = '0;
          assign unused_ack = ^ack[Far * Config.Vcs +: Config.Vcs];
        end
      end else begin : gen_edge
        logic unused_edge;

        assign arriving_valid[p] = 1'b0;
        assign arriving_flit[p * FlitWidth +: FlitWidth] = '0;
        assign arriving_credit[p] = 1'b0;
        assign arriving_credit_vc[p * VcWidth +: VcWidth] = '0;
        assign arriving_ack[p * Config.Vcs +: Config.Vcs] = '0;
        assign unused_edge = ^{ack[(External + p) * Config.Vcs +: Config.Vcs], valid[External + p],
                                credit[External + p],
                               flit[(External + p) * FlitWidth +: FlitWidth],
                               credit_vc[(External + p) * VcWidth +: VcWidth]};
      end
    end

    // An internal channel has one VC, the first line of its port.
    for (genvar k = 0; k < Config.InternalPorts; k++) begin : gen_internal_ack
      logic [Config.Vcs-1:0] lines;

      assign internal_ack_in[k * Config.Vcs +: Config.Vcs] = Config.Vcs'(ack_i[Internal + k]);
      assign lines = internal_ack_out[k * Config.Vcs +: Config.Vcs];
      assign ack_o[Internal + k] = lines != '0;
    end

    allport_router #(
      .Config(Config)
    ) u_router (
      .clk_i,
      .rst_ni,
      .node_i(Address[AddressWidth-1:0]),
      .valid_i({valid_i[Internal +: Config.InternalPorts], arriving_valid}),
      .flit_i({flit_i[Internal * FlitWidth +: Config.InternalPorts * FlitWidth], arriving_flit}),
      .credit_o({credit_o[Internal +: Config.InternalPorts], credit[External +: ExternalPorts]}),
      .credit_vc_o({unused_credit_vc,
                    credit_vc[External * VcWidth +: ExternalPorts * VcWidth]}),
      .valid_o({valid_o[Internal +: Config.InternalPorts], valid[External +: ExternalPorts]}),
      .flit_o({flit_o[Internal * FlitWidth +: Config.InternalPorts * FlitWidth],
               flit[External * FlitWidth +: ExternalPorts * FlitWidth]}),
      .credit_i({credit_i[Internal +: Config.InternalPorts], arriving_credit}),
      .credit_vc_i({{(Config.InternalPorts * VcWidth){1'b0}}, arriving_credit_vc}),
      .ack_o({internal_ack_out, ack[External * Config.Vcs +: ExternalPorts * Config.Vcs]}),
      .ack_i({internal_ack_in, arriving_ack}),
      .active_o(active_o[node])
    );
  end

endmodule
