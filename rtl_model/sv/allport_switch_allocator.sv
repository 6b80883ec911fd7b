// SPDX-License-Identifier: Apache-2.0
// Which flits cross the switch in this cycle, and the credit counters that limit it. First each
// input chooses one of its virtual channels that has an output VC and a credit (2a); then each
// output chooses one of the inputs that ask for it (2b). An input's choice counts as won when one
// of its flits moves. A flit without a credit never wins, nor with NeedsRoom a head without credits
// for its whole message. An output whose channel is narrow takes nothing while an earlier flit
// occupies it, nor does one whose channel repeats what it carried. Matrices are by output: bit
// p*InputVcs + iv. With HasJoins the flit of the first internal input may stand for others: if it
// could go, all take part in the choices of their inputs; it asks for its outputs only if all are
// chosen, and if it moves, all choices have won.

module allport_switch_allocator #(
  /// The router.
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  localparam int unsigned Ports = Config.Ports,
  localparam int unsigned InputVcs = Config.InputVcs,
  localparam int unsigned OutputVcs = InputVcs,
  localparam int unsigned VcWidth = Config.VcWidth,
  localparam int unsigned ExternalPorts = Config.ExternalPorts,
  localparam int unsigned ExternalVcs = Config.ExternalVcs,
  localparam int unsigned LengthWidth = allport_pkg::LengthWidth
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [8*ExternalPorts-1:0]      phits_i,     // with Tables: phits of each external output
  input  logic [ExternalPorts-1:0]        repeats_i,   // its channel repeats what it carried
  input  logic [Ports-1:0]                credit_i,
  input  logic [Ports*VcWidth-1:0]        credit_vc_i,
  input  logic [InputVcs-1:0]             head_i,      // with NeedsRoom: a head is at the front ...
  input  logic [InputVcs*LengthWidth-1:0] length_i,    // ... of a message of this many flits
  input  logic [InputVcs-1:0]             is_whole_i,  // the front flit may move
  input  logic [Ports*InputVcs-1:0]       pending_i,   // branches that lack their front flit
  input  logic [OutputVcs*InputVcs-1:0]   owner_i,     // by output VC, one-hot
  input  logic [ExternalVcs-1:0]          operands_i,  // with HasJoins: it stands for these
  output logic [InputVcs-1:0]             chosen_o,    // by 2a, at most one VC of an input
  output logic [Ports*Ports-1:0]          grant_o,     // by 2b: output p from input i: p*Ports + i
  output logic [Ports*VcWidth-1:0]        vc_o,        // on this VC
  output logic [Ports*InputVcs-1:0]       take_o,      // branches that take their flit
  output logic [OutputVcs-1:0]            spent_o,     // a flit leaves by this output VC
  output logic [OutputVcs-1:0]            has_all_o,   // with Adaptive: all credits, before that
  output logic [Ports-1:0]                is_busy_o    // a flit or a repeat occupies the output
);

  localparam int unsigned Vcs = Config.Vcs;
  localparam int unsigned Classes = Config.Classes;
  localparam int unsigned Depth = Config.Depth;
  localparam bit NeedsRoom = Config.NeedsRoom;
  localparam bit HasJoins = Config.HasJoins;
  localparam logic [159:0] Phits = Config.PortPhits;
  localparam int unsigned CreditWidth = allport_pkg::idx_width(Depth + 1);

  // The inputs of which some VC is in `vcs`.
  function automatic logic [Ports-1:0] inputs_of(input logic [InputVcs-1:0] vcs);
    for (int unsigned i = 0; i < ExternalPorts; i++) begin
      inputs_of[i] = vcs[i * Vcs +: Vcs] != '0;
    end
    for (int unsigned k = 0; k < Ports - ExternalPorts; k++) begin
      inputs_of[ExternalPorts + k] = vcs[ExternalVcs + k * Classes +: Classes] != '0;
    end
  endfunction

  // All VCs of these inputs.
  function automatic logic [InputVcs-1:0] vcs_of(input logic [Ports-1:0] inputs);
    for (int unsigned i = 0; i < ExternalPorts; i++) begin
      vcs_of[i * Vcs +: Vcs] = {Vcs{inputs[i]}};
    end
    for (int unsigned k = 0; k < Ports - ExternalPorts; k++) begin
      vcs_of[ExternalVcs + k * Classes +: Classes] = {Classes{inputs[ExternalPorts + k]}};
    end
  endfunction

  // For test benches to read: each counter keeps its own.
  // verilator lint_off UNUSEDSIGNAL
  logic [OutputVcs*CreditWidth-1:0] credits_q;
  // verilator lint_on UNUSEDSIGNAL
  logic [OutputVcs-1:0] is_available, has_room;
  logic [Ports*InputVcs-1:0] can_take;
  logic [InputVcs-1:0] requesting;  // they take part in the choices of their inputs
  logic [InputVcs-1:0] is_apart;    // they stand for flits that were not all chosen
  logic [InputVcs-1:0] may_cross;   // they ask for their outputs
  logic [Ports-1:0] won;

  // What each output could take: a branch with its VC and a credit.
  for (genvar p = 0; p < Ports; p++) begin : gen_output
    localparam int unsigned PortVcs = (p < ExternalPorts) ? Vcs : Classes;
    localparam int unsigned First =
        (p < ExternalPorts) ? p * Vcs : ExternalVcs + (p - ExternalPorts) * Classes;
    logic [InputVcs-1:0] ready, asking;
    logic [Ports-1:0] request;
    logic is_occupied;

    if (Config.Tables > 0) begin : gen_any_width
      if (p < ExternalPorts) begin : gen_external
        allport_phit_timer u_phit_timer (
          .clk_i,
          .rst_ni,
          .phits_i(phits_i[8 * p +: 8]),
          .sent_i(request != '0),
          .is_busy_o(is_occupied)
        );
      end else begin : gen_internal
        assign is_occupied = 1'b0;
      end
    end else if (Phits[8 * p +: 8] > 8'd1) begin : gen_narrow
      localparam int unsigned PortPhits = 32'(Phits[8 * p +: 8]);
      logic [allport_pkg::idx_width(PortPhits)-1:0] left;

      allport_phit_counter #(
        .Phits(PortPhits)
      ) u_phit_counter (
        .clk_i,
        .rst_ni,
        .sent_i(request != '0),
        .left_o(left)
      );
      assign is_occupied = left != '0;
    end else begin : gen_wide
      assign is_occupied = 1'b0;
    end

    if (p < ExternalPorts) begin : gen_may_repeat
      assign is_busy_o[p] = is_occupied || repeats_i[p];
    end else begin : gen_never_repeats
      assign is_busy_o[p] = is_occupied;
    end

    for (genvar v = 0; v < PortVcs; v++) begin : gen_vc
      logic credit;

      if (PortVcs == 1) begin : gen_only
        assign credit = credit_i[p];
      end else begin : gen_one_of_many
        assign credit = credit_i[p] && (credit_vc_i[p * VcWidth +: VcWidth] == VcWidth'(v));
      end

      allport_credit_counter #(
        .Depth(Depth)
      ) u_credit_counter (
        .clk_i,
        .rst_ni,
        .credit_i(credit),
        .is_available_o(is_available[First + v]),
        .spent_i(spent_o[First + v]),
        .credits_o(credits_q[(First + v) * CreditWidth +: CreditWidth])
      );

      if (Config.Adaptive && (p < ExternalPorts)) begin : gen_has_all
        assign has_all_o[First + v] = CreditWidth'(Depth)
            == credits_q[(First + v) * CreditWidth +: CreditWidth] + CreditWidth'(credit);
      end else begin : gen_has_any
        assign has_all_o[First + v] = 1'b1;
      end

      if (NeedsRoom) begin : gen_room
        allport_message_room #(
          .InputVcs(InputVcs),
          .Depth(Depth)
        ) u_message_room (
          .credit_i(credit),
          .credits_i(credits_q[(First + v) * CreditWidth +: CreditWidth]),
          .owner_i(owner_i[(First + v) * InputVcs +: InputVcs]),
          .head_i,
          .length_i,
          .has_room_o(has_room[First + v])
        );
      end else begin : gen_no_room
        assign has_room[First + v] = 1'b1;
      end
    end

    always_comb begin
      ready = '0;
      for (int unsigned v = 0; v < PortVcs; v++) begin
        if (is_available[First + v] && has_room[First + v] && !is_busy_o[p]) begin
          ready = ready | owner_i[(First + v) * InputVcs +: InputVcs];
        end
      end
    end
    assign can_take[p * InputVcs +: InputVcs] =
        pending_i[p * InputVcs +: InputVcs] & ready & is_whole_i;

    assign asking = can_take[p * InputVcs +: InputVcs] & may_cross;
    assign request = inputs_of(asking);

    // The owner of an only VC is alone.
    if (PortVcs == 1) begin : gen_owner
      assign grant_o[p * Ports +: Ports] = request;
    end else begin : gen_arbiter
      allport_round_robin_arbiter #(
        .Requesters(Ports)
      ) u_output_arbiter (
        .clk_i,
        .rst_ni,
        .request_i(request),
        .grant_o(grant_o[p * Ports +: Ports]),
        .won_i(request != '0)
      );
    end

    assign take_o[p * InputVcs +: InputVcs] = asking & vcs_of(grant_o[p * Ports +: Ports]);

    // The VC on which each input would go is known before one of them has won.
    for (genvar v = 0; v < PortVcs; v++) begin : gen_spent
      logic [Ports-1:0] on_this;

      assign on_this = (PortVcs == 1) ? request
          : inputs_of(asking & owner_i[(First + v) * InputVcs +: InputVcs]);
      assign spent_o[First + v] = (grant_o[p * Ports +: Ports] & on_this) != '0;
    end

    always_comb begin
      vc_o[p * VcWidth +: VcWidth] = '0;
      for (int unsigned v = 0; v < PortVcs; v++) begin
        if (spent_o[First + v]) vc_o[p * VcWidth +: VcWidth] = VcWidth'(v);
      end
    end
  end

  if (Config.Tables == 0) begin : gen_known_widths
    logic unused_phits;
    assign unused_phits = ^phits_i;
  end

  if (!NeedsRoom) begin : gen_any_length
    logic unused_lengths;
    assign unused_lengths = ^{head_i, length_i};
  end

  always_comb begin
    requesting = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      requesting = requesting | can_take[p * InputVcs +: InputVcs];
    end
    if (HasJoins && requesting[ExternalVcs]) begin
      requesting[ExternalVcs-1:0] = requesting[ExternalVcs-1:0] | operands_i;
    end
  end

  always_comb begin
    is_apart = '0;
    if (HasJoins) is_apart[ExternalVcs] = (operands_i & ~chosen_o[ExternalVcs-1:0]) != '0;
  end

  // An only VC of an input is chosen whenever it could go.
  always_comb begin
    may_cross = chosen_o & ~is_apart;
    if (Vcs == 1) may_cross[ExternalVcs-1:0] = '1;
    if (Classes == 1) may_cross[InputVcs-1:ExternalVcs] = ~is_apart[InputVcs-1:ExternalVcs];
  end

  always_comb begin
    won = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      won = won | grant_o[p * Ports +: Ports];
    end
    for (int unsigned i = 0; i < ExternalPorts; i++) begin
      if (HasJoins && won[ExternalPorts] && (operands_i[i * Vcs +: Vcs] != '0)) won[i] = 1'b1;
    end
  end

  if (!HasJoins) begin : gen_no_operands
    logic unused_operands;
    assign unused_operands = ^operands_i;
  end

  // With one VC to an input there is nothing to choose.
  if (Vcs == 1) begin : gen_no_choice
    logic unused_won;

    assign chosen_o = requesting;
    assign unused_won = ^{won, credit_vc_i};
  end else begin : gen_choice
    logic unused_internal;

    for (genvar i = 0; i < ExternalPorts; i++) begin : gen_input
      allport_round_robin_arbiter #(
        .Requesters(Vcs)
      ) u_input_arbiter (
        .clk_i,
        .rst_ni,
        .request_i(requesting[i * Vcs +: Vcs]),
        .grant_o(chosen_o[i * Vcs +: Vcs]),
        .won_i(won[i])
      );
    end
    if (Classes == 1) begin : gen_only_class
      assign chosen_o[InputVcs-1:ExternalVcs] = requesting[InputVcs-1:ExternalVcs];
    end else begin : gen_classes
      for (genvar k = 0; k < Ports - ExternalPorts; k++) begin : gen_internal
        localparam int unsigned Iv = ExternalVcs + k * Classes;

        allport_round_robin_arbiter #(
          .Requesters(Classes)
        ) u_input_arbiter (
          .clk_i,
          .rst_ni,
          .request_i(requesting[Iv +: Classes]),
          .grant_o(chosen_o[Iv +: Classes]),
          .won_i(won[ExternalPorts + k])
        );
      end
    end
    assign unused_internal = ^{won[Ports-1:ExternalPorts],
                               credit_vc_i[Ports*VcWidth-1:ExternalPorts*VcWidth]};
  end

endmodule
