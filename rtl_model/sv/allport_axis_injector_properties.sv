// SPDX-License-Identifier: Apache-2.0
// What an injector requires of the stream: an offered beat stays, unchanged, until it is
// transferred; a frame has a kind that goes by one address, is not for this node, in circuit mode
// is a unicast, and in cut-through and store-and-forward is as long as it says and fits into a
// buffer. What it guarantees: a flit for each beat, and no more flits on the way than places.

module allport_axis_injector_properties #(
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  parameter int unsigned Bytes = 8,
  parameter int unsigned UserWidth = 12,
  localparam int unsigned AddressWidth = Config.AddressWidth,
  localparam int unsigned TieWidth = Config.TieWidth,
  localparam int unsigned Depth = Config.Depth,
  localparam int unsigned CreditWidth = allport_pkg::idx_width(Depth + 1)
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic [AddressWidth-1:0] node_i,
  input logic                    s_axis_tvalid,
  input logic                    s_axis_tready,
  input logic [8*Bytes-1:0]      s_axis_tdata,
  input logic [Bytes-1:0]        s_axis_tkeep,
  input logic                    s_axis_tlast,
  input logic [AddressWidth-1:0] s_axis_tdest,
  input logic [UserWidth-1:0]    s_axis_tuser,
  input logic                    valid_o,
  input logic                    credit_i,
  input logic [CreditWidth-1:0]  credits,
  input logic                    is_inside_q
);

  logic is_first, goes_to_all;
  logic [allport_pkg::KindWidth-1:0] kind;

  assign is_first = s_axis_tvalid && !is_inside_q;
  assign kind = s_axis_tuser[0 +: allport_pkg::KindWidth];
  assign goes_to_all = (kind == allport_pkg::KindTree) || (kind == allport_pkg::KindPath);

  StaysUntilItIsTransferred: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (s_axis_tvalid && !s_axis_tready) |=> (s_axis_tvalid && $stable(s_axis_tdata)
          && $stable(s_axis_tkeep) && $stable(s_axis_tlast) && $stable(s_axis_tdest)
          && $stable(s_axis_tuser)));
  HasAKindWithOneAddress: assert property (@(posedge clk_i) disable iff (!rst_ni)
      is_first |-> ((kind <= allport_pkg::KindTree) || goes_to_all));
  IsNotForThisNode: assert property (@(posedge clk_i) disable iff (!rst_ni)
      is_first |-> (goes_to_all || (s_axis_tdest != node_i)));
  SendsOnlyWithACredit: assert property (@(posedge clk_i) disable iff (!rst_ni)
      valid_o |-> (credits != '0));
  GetsNoMoreCreditsThanItSpent: assert property (@(posedge clk_i) disable iff (!rst_ni)
      credit_i |-> (32'(credits) < Depth));

  if (Config.Switching == allport_pkg::SwitchingCircuit) begin : gen_circuit
    IsAUnicast: assert property (@(posedge clk_i) disable iff (!rst_ni)
        is_first |-> (kind == allport_pkg::KindUnicast));
  end

  if (Config.NeedsRoom) begin : gen_length
    logic [allport_pkg::LengthWidth-1:0] length, rest_q;  // beats that are still to come

    assign length = s_axis_tuser[allport_pkg::KindWidth + TieWidth +: allport_pkg::LengthWidth];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) rest_q <= '0;
      else if (valid_o) rest_q <= (is_inside_q ? rest_q : length) - 1'b1;
    end

    FitsIntoABuffer: assert property (@(posedge clk_i) disable iff (!rst_ni)
        is_first |-> ((length != '0) && (32'(length) <= Depth)));
    IsAsLongAsItSays: assert property (@(posedge clk_i) disable iff (!rst_ni)
        valid_o |-> (s_axis_tlast == ((is_inside_q ? rest_q : length) == 1)));
  end

endmodule

bind allport_axis_injector allport_axis_injector_properties #(
  .Config(Config),
  .Bytes(Bytes),
  .UserWidth(UserWidth)
) u_properties (
  .clk_i(clk_i),
  .rst_ni(rst_ni),
  .node_i(node_i),
  .s_axis_tvalid(s_axis_tvalid),
  .s_axis_tready(s_axis_tready),
  .s_axis_tdata(s_axis_tdata),
  .s_axis_tkeep(s_axis_tkeep),
  .s_axis_tlast(s_axis_tlast),
  .s_axis_tdest(s_axis_tdest),
  .s_axis_tuser(s_axis_tuser),
  .valid_o(valid_o),
  .credit_i(credit_i),
  .credits(credits),
  .is_inside_q(is_inside_q)
);
