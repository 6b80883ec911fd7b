// SPDX-License-Identifier: Apache-2.0
// The owner of each output virtual channel: free -> granted to a head -> held -> freed by the tail.
// No other unit asks whether it is free. In a cycle, a head asks, for each branch that it lacks,
// for one free VC of its class, round robin from its own pointer; then each free output VC chooses
// among the inputs that ask for it, round robin over all input VCs. A grant is never withdrawn. A
// VC freed in cycle c can be granted in cycle c + 1. Row ov of owner_q, one-hot over the input VCs,
// is the owner of output VC ov; zero: it is free. choice_q has each input VC's pointer over the VCs
// of an output. With Adaptive a head of class 1 asks for any VC except the first, and one of class
// 0 for any; all but the first are free only when their credits are back. A message has the message
// class of the VC by which it came. It asks for none but the VCs of that message class, which are
// all that is said of VCs above; an ejection channel has one of them. With Tables the class of a
// head is its layer, and its VCs are those of this layer. With VcDelay a winner asks for the switch
// from registers, VcDelay cycles after it has won.

module allport_vc_allocator #(
  /// The router.
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  localparam int unsigned ExternalPorts = Config.ExternalPorts,
  localparam int unsigned Ports = Config.Ports,
  localparam int unsigned InputVcs = Config.InputVcs,
  localparam int unsigned ClassWidth = Config.ClassWidth,
  localparam int unsigned OutputVcs = InputVcs
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [Ports*InputVcs-1:0]     pending_i,      // branches of the front flits, by output
  input  logic [InputVcs-1:0]           head_i,         // the front flit is a head
  input  logic [InputVcs*ClassWidth-1:0] vc_class_i,
  input  logic [InputVcs-1:0]           any_class_i,    // whatever vc_class_i says
  input  logic [InputVcs*ExternalPorts-1:0] branch_class_i,  // with BranchClasses, for vc_class_i
  input  logic [InputVcs-1:0]           is_join_i,      // with JoinVcs: whatever the classes say
  input  logic [InputVcs-1:0]           is_tree_i,      // likewise
  input  logic [OutputVcs-1:0]          has_all_i,      // all its credits are back (with Adaptive)
  output logic [OutputVcs-1:0]          free_o,         // at the beginning of the cycle
  output logic [InputVcs-1:0]           is_owner_o,     // of some output VC, likewise
  output logic                          is_granting_o,  // some VC is given in this cycle
  output logic                          is_waiting_o,   // an owner does not yet take part
  output logic [OutputVcs*InputVcs-1:0] owner_o,        // owners, this cycle's winners included
  output logic [OutputVcs*InputVcs-1:0] sender_o,       // those that ask for the switch
  input  logic [OutputVcs-1:0]          spent_i,        // a flit leaves by this VC ...
  input  logic [InputVcs-1:0]           tail_i          // ... it is a tail
);

  localparam int unsigned Vcs = Config.Vcs;
  localparam int unsigned VcWidth = Config.VcWidth;
  localparam int unsigned ExternalVcs = Config.ExternalVcs;
  localparam int unsigned JoinVcs = Config.JoinVcs;
  localparam int unsigned UnicastVcs = Config.UnicastVcs;
  localparam int unsigned Classes = Config.Classes;
  localparam int unsigned ClassVcs = Config.ClassVcs;
  localparam int unsigned LayerVcs = Config.LayerVcs;
  localparam int unsigned VcDelay = Config.VcDelay;
  localparam bit HasLayers = Config.Tables > 1;
  localparam bit VcClasses = Config.VcClasses;
  localparam bit BranchClasses = Config.BranchClasses;
  localparam bit Adaptive = Config.Adaptive;

  // The input VCs whose messages have message class `number`.
  function automatic logic [InputVcs-1:0] of_message_class(input int unsigned number);
    of_message_class = '1;
    if (Classes > 1) begin
      for (int unsigned iv = 0; iv < InputVcs; iv++) begin
        of_message_class[iv] = number
            == ((iv < ExternalVcs) ? (iv % Vcs) / ClassVcs : (iv - ExternalVcs) % Classes);
      end
    end
  endfunction

  logic [OutputVcs*InputVcs-1:0] owner_d, owner_q, ask, grant;
  logic [InputVcs*VcWidth-1:0] choice_d, choice_q;
  logic [Ports*InputVcs-1:0] lacking;
  logic [Vcs*InputVcs-1:0] suits, not_before, behind_won;
  logic [InputVcs-1:0] undecided, hit;

  for (genvar ov = 0; ov < OutputVcs; ov++) begin : gen_free
    logic is_owned;

    assign is_owned = owner_q[ov * InputVcs +: InputVcs] != '0;
    if (Adaptive && (ov < ExternalVcs) && (ov % ClassVcs != 0)) begin : gen_drained
      assign free_o[ov] = !is_owned && has_all_i[ov];
    end else begin : gen_at_once
      assign free_o[ov] = !is_owned;
    end
  end

  logic unused_has_all;  // but of adaptive channels
  assign unused_has_all = ^has_all_i;

  always_comb begin
    is_owner_o = '0;
    for (int unsigned ov = 0; ov < OutputVcs; ov++) begin
      is_owner_o = is_owner_o | owner_q[ov * InputVcs +: InputVcs];
    end
  end

  // What each head lacks, by output.
  for (genvar p = 0; p < Ports; p++) begin : gen_lacking
    if (p < ExternalPorts) begin : gen_external
      logic [InputVcs-1:0] owners;

      // The owner of an only VC asks in vain, since it is not free.
      always_comb begin
        owners = '0;
        for (int unsigned v = 0; (Vcs > 1) && (v < Vcs); v++) begin
          owners = owners | owner_q[(p * Vcs + v) * InputVcs +: InputVcs];
        end
      end
      assign lacking[p * InputVcs +: InputVcs] =
          pending_i[p * InputVcs +: InputVcs] & head_i & ~owners;
    end else begin : gen_internal
      localparam int unsigned First = ExternalVcs + (p - ExternalPorts) * Classes;
      logic [InputVcs-1:0] holders;

      always_comb begin
        holders = '0;
        for (int unsigned c = 0; (Classes > 1) && (c < Classes); c++) begin
          holders = holders | owner_q[(First + c) * InputVcs +: InputVcs];
        end
      end
      assign lacking[p * InputVcs +: InputVcs] =
          pending_i[p * InputVcs +: InputVcs] & head_i & ~holders;
    end
  end

  if (!VcClasses || (Vcs == 1)) begin : gen_one_class
    logic unused_any_class;
    assign unused_any_class = ^any_class_i;
  end

  // One bit of the class of each input VC says all where there are no layers.
  logic [InputVcs-1:0] is_class_1;
  if (ClassWidth == 1) begin : gen_two_classes
    assign is_class_1 = vc_class_i;
  end else begin : gen_layers
    assign is_class_1 = '0;
  end

  // For each VC: the input VCs whose class it is in, and those whose pointer is not behind it.
  always_comb begin
    suits = '1;
    not_before = '1;
    if (Vcs > 1) begin
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (VcClasses && !BranchClasses) begin
          suits[v * InputVcs +: InputVcs] =
              ((2 * (v % ClassVcs) < ClassVcs) ? ~is_class_1 : is_class_1) | any_class_i;
        end
        if (Adaptive && (v % ClassVcs == 0)) suits[v * InputVcs +: InputVcs] = ~is_class_1;
        for (int unsigned iv = 0; HasLayers && (iv < InputVcs); iv++) begin
          suits[v * InputVcs + iv] = vc_class_i[iv * ClassWidth +: ClassWidth]
              == ClassWidth'((v % ClassVcs) / LayerVcs);
        end
        if (Classes > 1) begin
          suits[v * InputVcs +: InputVcs] =
              suits[v * InputVcs +: InputVcs] & of_message_class(v / ClassVcs);
        end
        if ((JoinVcs > 0) && (v < UnicastVcs)) begin
          suits[v * InputVcs +: InputVcs] =
              suits[v * InputVcs +: InputVcs] & ~(is_join_i | is_tree_i);
        end
        if ((JoinVcs > 0) && (v >= UnicastVcs)) begin
          suits[v * InputVcs +: InputVcs] =
              ((v == UnicastVcs) ? is_join_i : '0) | ((v + 1 == Vcs) ? is_tree_i : '0);
        end
        for (int unsigned iv = 0; iv < InputVcs; iv++) begin
          not_before[v * InputVcs + iv] = choice_q[iv * VcWidth +: VcWidth] <= VcWidth'(v);
        end
      end
    end
  end

  if (JoinVcs == 0) begin : gen_shared
    logic unused_own;
    assign unused_own = ^{is_join_i, is_tree_i};
  end

  if (!VcClasses || (Vcs == 1) || !BranchClasses) begin : gen_class_of_worm
    logic unused_branch_class;
    assign unused_branch_class = ^branch_class_i;
  end

  // Which VC each head asks for: the first free one of its class at or after its pointer.
  for (genvar p = 0; p < Ports; p++) begin : gen_ask
    if (p < ExternalPorts) begin : gen_external
      logic [Vcs*InputVcs-1:0] asked, suits_here;
      logic [InputVcs-1:0] searching, first;

      if (VcClasses && (Vcs > 1) && BranchClasses) begin : gen_branch_class
        logic [InputVcs-1:0] is_p;

        for (genvar iv = 0; iv < InputVcs; iv++) begin : gen_input_vc
          assign is_p[iv] = branch_class_i[iv * ExternalPorts + p];
        end
        for (genvar v = 0; v < Vcs; v++) begin : gen_vc
          assign suits_here[v * InputVcs +: InputVcs] = suits[v * InputVcs +: InputVcs]
              & (((2 * (v % ClassVcs) < ClassVcs) ? ~is_p : is_p) | any_class_i
                 | {InputVcs{v >= UnicastVcs}});
        end
      end else begin : gen_one_class
        assign suits_here = suits;
      end

      // Where nobody lacks one, simulation saves the search. Who does comes in at its end, since it
      // is known late.
      always_comb begin
        asked = '0;
        first = '0;
        searching = '1;
        if ((Vcs == 1) || (lacking[p * InputVcs +: InputVcs] != '0)) begin
          for (int unsigned v = 0; v < Vcs; v++) begin
            if (free_o[p * Vcs + v]) begin
              first = searching & suits_here[v * InputVcs +: InputVcs]
                  & not_before[v * InputVcs +: InputVcs];
              asked[v * InputVcs +: InputVcs] = first;
              searching = searching & ~first;
            end
          end
          for (int unsigned v = 0; v < Vcs; v++) begin
            if (free_o[p * Vcs + v]) begin
              first = searching & suits_here[v * InputVcs +: InputVcs];
              asked[v * InputVcs +: InputVcs] = asked[v * InputVcs +: InputVcs] | first;
              searching = searching & ~first;
            end
          end
          asked = asked & {Vcs{lacking[p * InputVcs +: InputVcs]}};
        end
      end
      assign ask[p * Vcs * InputVcs +: Vcs * InputVcs] = asked;
    end else begin : gen_internal
      for (genvar c = 0; c < Classes; c++) begin : gen_message_class
        localparam int unsigned Ov = ExternalVcs + (p - ExternalPorts) * Classes + c;
        localparam logic [InputVcs-1:0] OfMessageClass = of_message_class(c);
        logic [InputVcs-1:0] wanting;

        assign wanting = (Classes == 1) ? lacking[p * InputVcs +: InputVcs]
            : lacking[p * InputVcs +: InputVcs] & OfMessageClass;
        assign ask[Ov * InputVcs +: InputVcs] =
            free_o[Ov] ? wanting : '0;
      end
    end
  end

  for (genvar ov = 0; ov < OutputVcs; ov++) begin : gen_output_vc
    allport_round_robin_arbiter #(
      .Requesters(InputVcs)
    ) u_grant_arbiter (
      .clk_i,
      .rst_ni,
      .request_i(ask[ov * InputVcs +: InputVcs]),
      .grant_o(grant[ov * InputVcs +: InputVcs]),
      .won_i(ask[ov * InputVcs +: InputVcs] != '0)
    );
  end

  // More than 8192 bits in large routers.
  // verilator lint_off WIDTHCONCAT
  assign owner_o = owner_q | grant;
  assign is_granting_o = ask != '0;

  // Behind the register of the owners there is nothing to compute: further cycles pass by.
  if (VcDelay == 0) begin : gen_at_once
    assign sender_o = owner_o;
    assign is_waiting_o = 1'b0;
  end else if (VcDelay == 1) begin : gen_register
    assign sender_o = owner_q;
    assign is_waiting_o = 1'b0;
  end else begin : gen_registers
    logic [OutputVcs-1:0] is_waiting;

    for (genvar ov = 0; ov < OutputVcs; ov++) begin : gen_output_vc
      logic [VcDelay-2:0] won_d, won_q;  // by cycles since it was won

      assign won_d = (VcDelay - 1)'({won_q, ask[ov * InputVcs +: InputVcs] != '0});
      assign is_waiting[ov] = won_q != '0;
      assign sender_o[ov * InputVcs +: InputVcs] =
          is_waiting[ov] ? '0 : owner_q[ov * InputVcs +: InputVcs];

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) won_q <= '0;
        else won_q <= won_d;
      end
    end
    assign is_waiting_o = is_waiting != '0;
  end

  always_comb begin
    owner_d = owner_o;
    for (int unsigned ov = 0; ov < OutputVcs; ov++) begin
      if (spent_i[ov]) begin
        owner_d[ov * InputVcs +: InputVcs] = owner_o[ov * InputVcs +: InputVcs] & ~tail_i;
      end
    end
  end

  // A winner's pointer moves past the VC that it was given; if there are several, the one at the
  // highest port decides.
  always_comb begin
    choice_d = choice_q;
    behind_won = '0;
    hit = '0;
    undecided = '1;
    if ((Vcs > 1) && (ask[ExternalVcs * InputVcs - 1 : 0] != '0)) begin
      for (int p = ExternalPorts - 1; p >= 0; p--) begin
        for (int unsigned v = 0; v < Vcs; v++) begin
          hit = grant[(p * Vcs + v) * InputVcs +: InputVcs];
          behind_won[((v + 1) % Vcs) * InputVcs +: InputVcs] =
              behind_won[((v + 1) % Vcs) * InputVcs +: InputVcs] | (hit & undecided);
          undecided = undecided & ~hit;
        end
      end
      for (int unsigned iv = 0; iv < InputVcs; iv++) begin
        if (!undecided[iv]) begin
          for (int unsigned v = 0; v < Vcs; v++) begin
            if (behind_won[v * InputVcs + iv]) choice_d[iv * VcWidth +: VcWidth] = VcWidth'(v);
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      owner_q <= '0;
      choice_q <= '0;
    end else begin
      owner_q <= owner_d;
      choice_q <= choice_d;
    end
  end
  // verilator lint_on WIDTHCONCAT

endmodule
