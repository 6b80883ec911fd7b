// SPDX-License-Identifier: Apache-2.0
// The replication delay: a tree flit that arrived in cycle c is held before cycle c + r, where r is
// ReplicationDelay. For each buffer it knows how many flits are ripe, that is, have been there for
// r cycles, and in which of the last r cycles the others arrived: bit i of the window stands for a
// flit that is ripe in i + 1 cycles. The front flit is held while no flit is ripe; flits other than
// tree flits may leave unripe, and are then the oldest in the window.

module allport_replication_delay #(
  /// Input VCs of the router.
  parameter int unsigned InputVcs = 6,
  /// Flits of each buffer, 1 .. 4096.
  parameter int unsigned Depth = 4,
  /// r, in cycles, 1 .. 1024.
  parameter int unsigned ReplicationDelay = 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [InputVcs-1:0] push_i,           // a flit arrives
  input  logic [InputVcs-1:0] is_replicated_i,  // the front flit is of a tree worm that goes on
  input  logic [InputVcs-1:0] done_i,           // the front flit leaves
  output logic [InputVcs-1:0] is_held_o,
  output logic                is_waiting_o      // some flit is not ripe
);

  localparam int unsigned CountWidth = allport_pkg::idx_width(Depth + 1);

  logic [InputVcs-1:0] is_waiting;

  for (genvar iv = 0; iv < InputVcs; iv++) begin : gen_input_vc
    logic [CountWidth-1:0] ripe_d, ripe_q;
    logic [ReplicationDelay-1:0] unripe_d, unripe_q, window, remaining;

    always_comb begin
      window = unripe_q;
      window[ReplicationDelay-1] = push_i[iv];
    end

    assign is_held_o[iv] = is_replicated_i[iv] && (ripe_q == '0);
    assign is_waiting[iv] = window != '0;

    always_comb begin
      remaining = window;
      ripe_d = ripe_q;
      if (done_i[iv]) begin
        if (ripe_q == '0) remaining = window & (window - ReplicationDelay'(1));
        else ripe_d = ripe_q - CountWidth'(1);
      end
      unripe_d = remaining >> 1;
      ripe_d = ripe_d + CountWidth'(remaining[0]);
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        ripe_q <= '0;
        unripe_q <= '0;
      end else begin
        ripe_q <= ripe_d;
        unripe_q <= unripe_d;
      end
    end
  end

  assign is_waiting_o = is_waiting != '0;

endmodule
