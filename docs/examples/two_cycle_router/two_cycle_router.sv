// SPDX-License-Identifier: Apache-2.0
// An example of a router of one's own, to be checked by `allport cosim`. Input queued; a flit on
// an input in cycle c is on an output in cycle c + 2 at the earliest: it is written into its queue
// at the end of c and crosses in c + 1. A credit is counted in the cycle after it is on the wire,
// so a channel between two such routers runs at full rate from Depth = 4 on.
//
// There is no separate VC allocation: a head takes the lowest free output VC of its class that has
// a credit in the cycle in which it crosses. The queue served longest ago chooses first.
// Unicast and deposit messages; of a tree worm it knows nothing.
module two_cycle_router #(
  parameter int unsigned Topology      = 0,      // 0 hypercube, 1 torus, 2 mesh
  parameter int unsigned Dimensions    = 3,
  parameter logic [47:0] Sides         = 48'd0,  // 16 bits per dimension, dimension 0 lowest
  parameter bit          Ascending     = 1'b0,   // hypercube: from the lowest bit
  parameter int unsigned InternalPorts = 3,
  parameter int unsigned Vcs           = 1,
  parameter int unsigned Depth         = 4,
  parameter int unsigned DataWidth     = 64,
  // What this router declares about itself.
  parameter int unsigned HopCycles     = 2,
  parameter int unsigned Kinds         = 3,      // unicast, deposit
  parameter int unsigned Topologies    = 7,      // hypercube, torus, mesh
  parameter int unsigned MaxInternalPorts = 10,  // all-port on every fabric
  // Derived.
  localparam int unsigned ExternalPorts = Topology == 0 ? Dimensions : 2 * Dimensions,
  localparam int unsigned Ports         = ExternalPorts + InternalPorts,
  localparam int unsigned VcWidth       = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned TieWidth      = Topology == 0 ? 1 : Dimensions,
  localparam int unsigned AddressWidth  = Topology == 0 ? Dimensions : $clog2(Sides[15:0]) +
      (Dimensions > 1 ? $clog2(Sides[31:16]) : 0) + (Dimensions > 2 ? $clog2(Sides[47:32]) : 0),
  localparam int unsigned FlitWidth     = 2 + VcWidth + 3 + TieWidth + AddressWidth + DataWidth
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [AddressWidth-1:0]    node_i,
  input  logic [Ports-1:0]           valid_i,
  input  logic [Ports*FlitWidth-1:0] flit_i,
  output logic [Ports-1:0]           credit_o,
  output logic [Ports*VcWidth-1:0]   credit_vc_o,
  output logic [Ports-1:0]           valid_o,
  output logic [Ports*FlitWidth-1:0] flit_o,
  input  logic [Ports-1:0]           credit_i,
  input  logic [Ports*VcWidth-1:0]   credit_vc_i
);

  // A lane is one VC of one port; inputs and outputs are numbered alike: port * Vcs + vc for the
  // external ones, then one for each internal port.
  localparam int unsigned Lanes        = ExternalPorts * Vcs + InternalPorts;
  localparam int unsigned LaneWidth    = $clog2(Lanes);
  localparam int unsigned PortWidth    = $clog2(Ports);
  localparam int unsigned PointerWidth = Depth > 1 ? $clog2(Depth) : 1;
  localparam int unsigned CountWidth   = $clog2(Depth + 1);
  localparam int unsigned Way  = 0;  // branch: onwards, or out at the destination
  localparam int unsigned Copy = 1;  // branch: a deposit's copy for this node's processor

  typedef logic [LaneWidth-1:0]  lane_t;
  typedef logic [PortWidth-1:0]  port_t;
  typedef logic [VcWidth-1:0]    vc_t;
  typedef logic [CountWidth-1:0] count_t;
  typedef struct packed {
    logic                    head;
    logic                    tail;
    vc_t                     vc;
    logic [2:0]              kind;
    logic [TieWidth-1:0]     ties;
    logic [AddressWidth-1:0] address;
    logic [DataWidth-1:0]    data;
  } flit_t;
  typedef struct packed {  // where the message at the front of a lane goes
    logic  copied;
    port_t way_port;
    vc_t   way_vc;
    logic  late_class;     // the wraparound channel lies ahead: class p
    port_t copy_port;
  } worm_t;

  if (HopCycles != 2) $error("two_cycle_router: HopCycles is 2");
  if (Kinds > 3) $error("two_cycle_router: Kinds is at most 3 (unicast, deposit)");
  if (!Topologies[Topology[4:0]]) $error("two_cycle_router: Topology is not one of Topologies");
  if (Topology == 1 && Vcs > 1 && Vcs % 2 != 0) $error("two_cycle_router: Vcs of a torus is even");
  if (InternalPorts < 1 || InternalPorts > ExternalPorts)
    $error("two_cycle_router: InternalPorts is 1..external ports");

  flit_t              arriving [Ports];
  logic  [Lanes-1:0]  waiting;           // per input lane: it holds a flit,
  flit_t              front    [Lanes];  // this one
  logic  [Lanes-1:0]  popped;

  worm_t              worm_q [Lanes], worm_d [Lanes];
  logic  [1:0]        taken_q [Lanes], taken_d [Lanes];      // branches that have the front flit
  lane_t              order_q [Lanes], order_d [Lanes];      // input lanes, longest unserved first
  logic  [Lanes-1:0]  owned_q, owned_d;                      // per output lane
  count_t             credits_q [Lanes], credits_d [Lanes];  // per output lane
  logic  [Ports-1:0]  sent;
  flit_t              sent_flit [Ports];
  logic  [Ports-1:0]  freed;
  vc_t                freed_vc [Ports];

  // ---- numbers -------------------------------------------------------------------------------

  function automatic lane_t lane_of(int unsigned channel, vc_t vc);
    if (channel >= ExternalPorts) return LaneWidth'(ExternalPorts * Vcs + channel - ExternalPorts);
    return LaneWidth'(channel * Vcs + 32'(vc));
  endfunction

  function automatic port_t port_of(int unsigned lane);
    if (lane >= ExternalPorts * Vcs) return PortWidth'(ExternalPorts + lane - ExternalPorts * Vcs);
    return PortWidth'(lane / Vcs);
  endfunction

  function automatic vc_t vc_of(int unsigned lane);
    if (lane >= ExternalPorts * Vcs) return '0;
    return VcWidth'(lane % Vcs);
  endfunction

  function automatic int unsigned side(int unsigned dimension);
    return 32'(Sides[6'(16 * dimension) +: 16]);
  endfunction

  // Coordinate of an address in one dimension.
  function automatic int unsigned coordinate(logic [AddressWidth-1:0] address,
                                             int unsigned dimension);
    int unsigned offset;
    offset = 0;
    for (int unsigned i = 0; i < dimension; i++) offset += 32'($clog2(side(i)));
    return 32'(64'(address) >> offset) & ((32'd1 << $clog2(side(dimension))) - 1);
  endfunction

  // ---- routing -------------------------------------------------------------------------------

  function automatic worm_t plan(logic [AddressWidth-1:0] node, logic [AddressWidth-1:0] address,
                                 logic [TieWidth-1:0] ties, logic is_deposit, port_t from);
    worm_t       worm;
    logic        here;
    logic        up;
    port_t       out;
    int unsigned own, target, distance;
    worm = '0;
    here = 1'b1;
    out = '0;
    if (Topology == 0) begin
      for (int unsigned i = 0; i < Dimensions; i++) begin
        if (address[i] != node[i] && (here || !Ascending)) begin
          here = 1'b0;
          out = PortWidth'(i);
        end
      end
    end else begin
      for (int unsigned i = 0; i < Dimensions; i++) begin
        own = coordinate(node, i);
        target = coordinate(address, i);
        if (here && own != target) begin
          here = 1'b0;
          distance = target > own ? target - own : target + side(i) - own;
          if (Topology == 2) up = target > own;
          else if (2 * distance == side(i)) up = !ties[i];
          else up = 2 * distance < side(i);
          out = PortWidth'(up ? 2 * i : 2 * i + 1);
          worm.late_class = up ? target < own : target > own;
        end
      end
    end
    worm.copy_port = PortWidth'(ExternalPorts +
        (32'(from) < ExternalPorts ? 32'(from) : 32'(from) - ExternalPorts) % InternalPorts);
    worm.way_port = here ? worm.copy_port : out;
    worm.copied = is_deposit && !here && 32'(from) < ExternalPorts;
    return worm;
  endfunction

  // May a head of this class use this VC of an external channel?
  function automatic logic in_class(int unsigned vc, logic late_class);
    if (Topology != 1 || Vcs == 1) return 1'b1;
    return (2 * vc >= Vcs) == late_class;
  endfunction

  // ---- queues --------------------------------------------------------------------------------

  for (genvar p = 0; p < Ports; p++) begin : gen_arrive
    assign arriving[p] = flit_t'(flit_i[p*FlitWidth +: FlitWidth]);
  end

  for (genvar i = 0; i < Lanes; i++) begin : gen_queue
    localparam int unsigned Port = i < ExternalPorts * Vcs
        ? i / Vcs : ExternalPorts + i - ExternalPorts * Vcs;

    flit_t                   queue_q [Depth];
    logic [PointerWidth-1:0] read_q;
    logic [PointerWidth-1:0] write_q;
    count_t                  count_q;
    logic                    pushed;

    assign pushed = valid_i[Port] && (Port >= ExternalPorts || 32'(arriving[Port].vc) == i % Vcs);
    assign waiting[i] = count_q != '0;
    assign front[i] = queue_q[read_q];

    always_ff @(posedge clk_i) begin
      if (pushed) queue_q[write_q] <= arriving[Port];
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        read_q  <= '0;
        write_q <= '0;
        count_q <= '0;
      end else begin
        if (pushed) write_q <= 32'(write_q) == Depth - 1 ? '0 : write_q + 1'b1;
        if (popped[i]) read_q <= 32'(read_q) == Depth - 1 ? '0 : read_q + 1'b1;
        count_q <= count_q + CountWidth'(pushed) - CountWidth'(popped[i]);
      end
    end
  end

  // ---- who crosses ---------------------------------------------------------------------------

  always_comb begin : decide
    lane_t             in;
    lane_t             out;
    port_t             from;
    port_t             to;
    vc_t               vc;
    flit_t             flit;
    worm_t             worm;
    logic  [1:0]       wanted;
    logic              found;
    logic  [Ports-1:0] served_port;
    logic  [Lanes-1:0] served;

    worm_d = worm_q;
    taken_d = taken_q;
    owned_d = owned_q;
    credits_d = credits_q;
    popped = '0;
    sent = '0;
    freed = '0;
    served = '0;
    served_port = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      sent_flit[p] = '0;
      freed_vc[p] = '0;
    end

    for (int unsigned n = 0; n < Lanes; n++) begin
      in = order_q[n];
      from = port_of(32'(in));
      flit = front[in];
      worm = plan(node_i, flit.address, flit.ties, Kinds[1] && flit.kind == 3'd1, from);
      // Also the head of a deposit one branch of which has gone: it keeps the VC that it took.
      if (!flit.head || taken_q[in] != '0) worm = worm_q[in];
      wanted = {worm.copied, 1'b1} & ~taken_q[in];
      if (!waiting[in] || served_port[from]) wanted = '0;

      for (int unsigned b = Way; b <= Copy; b++) begin
        to = b == Way ? worm.way_port : worm.copy_port;
        vc = b == Way ? worm.way_vc : '0;
        found = !flit.head;
        if (flit.head) begin
          for (int unsigned v = 0; v < Vcs; v++) begin
            out = lane_of(32'(to), VcWidth'(v));
            if (!found && !owned_q[out] && credits_q[out] != '0 &&
                (32'(to) >= ExternalPorts ? v == 0 : in_class(v, worm.late_class))) begin
              found = 1'b1;
              vc = VcWidth'(v);
            end
          end
        end
        out = lane_of(32'(to), vc);
        if (wanted[b] && found && !sent[to] && credits_q[out] != '0) begin
          sent[to] = 1'b1;
          sent_flit[to] = flit;
          sent_flit[to].vc = vc;
          owned_d[out] = !flit.tail;
          credits_d[out] = credits_q[out] - 1'b1;
          taken_d[in][b] = 1'b1;
          if (b == Way) worm.way_vc = vc;
          served_port[from] = 1'b1;
          served[in] = 1'b1;
        end
      end

      if (served[in]) begin
        worm_d[in] = worm;
        if (taken_d[in] == {worm.copied, 1'b1}) begin
          taken_d[in] = '0;
          popped[in] = 1'b1;
          freed[from] = 1'b1;
          freed_vc[from] = vc_of(32'(in));
        end
      end
    end

    for (int unsigned p = 0; p < Ports; p++) begin
      out = lane_of(p, credit_vc_i[p*VcWidth +: VcWidth]);
      if (credit_i[p]) credits_d[out] = credits_d[out] + 1'b1;
    end

    // The lanes served go to the end of the line.
    out = '0;
    for (int unsigned n = 0; n < Lanes; n++) begin
      order_d[n] = order_q[n];
    end
    for (int unsigned n = 0; n < Lanes; n++) begin
      if (!served[order_q[n]]) begin
        order_d[out] = order_q[n];
        out = out + 1'b1;
      end
    end
    for (int unsigned n = 0; n < Lanes; n++) begin
      if (served[order_q[n]]) begin
        order_d[out] = order_q[n];
        out = out + 1'b1;
      end
    end
  end

  // ---- registers -----------------------------------------------------------------------------

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_o  <= '0;
      credit_o <= '0;
      owned_q  <= '0;
    end else begin
      valid_o  <= sent;
      credit_o <= freed;
      owned_q  <= owned_d;
    end
  end

  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        taken_q[i]   <= '0;
        order_q[i]   <= LaneWidth'(i);
        credits_q[i] <= CountWidth'(Depth);
      end else begin
        taken_q[i]   <= taken_d[i];
        order_q[i]   <= order_d[i];
        credits_q[i] <= credits_d[i];
      end
    end
  end

  // Without reset: what is never read before it was written.
  always_ff @(posedge clk_i) worm_q <= worm_d;

  for (genvar p = 0; p < Ports; p++) begin : gen_output
    always_ff @(posedge clk_i) begin
      flit_o[p*FlitWidth +: FlitWidth] <= sent_flit[p];
      credit_vc_o[p*VcWidth +: VcWidth] <= freed_vc[p];
    end
  end

endmodule
