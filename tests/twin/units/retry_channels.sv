// SPDX-License-Identifier: Apache-2.0
// Channels with retry side by side, as retry_unit_test.cpp counts on it: both ends, and between
// them the registers of the channel, of which a flit with s phits takes s - 1 more. At the far end
// error_i flips bits on the wire, the checksum's above those of the flit.

module retry_channels #(
  localparam int unsigned Units = 7,
  localparam int unsigned Width = 24,
  localparam int unsigned Stride = 96
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [Stride-1:0] valid_i [Units],
  input  logic [Stride-1:0] flit_i [Units],
  input  logic [Stride-1:0] error_i [Units],
  output logic [Stride-1:0] is_busy_o [Units],
  output logic [Stride-1:0] is_active_o [Units],  // of the sender, of the receiver
  output logic [Stride-1:0] there_o [Units],      // the wire at the receiving end, valid on top
  output logic [Stride-1:0] valid_o [Units],
  output logic [Stride-1:0] nack_o [Units]
);

  localparam int unsigned Phits [Units] = '{1, 1, 1, 2, 3, 1, 4};
  localparam int unsigned LinkDelay [Units] = '{0, 1, 0, 0, 2, 5, 0};
  localparam int unsigned CrossbarDelay [Units] = '{0, 0, 1, 0, 4, 2, 1};

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    localparam int unsigned Retry = 2 * Phits[u] + 2 * LinkDelay[u] + CrossbarDelay[u];
    logic sent, there, nack, nack_there, unused_data;
    logic [Width+15:0] sent_word, word, there_word;

    allport_retry_sender #(
      .Width(Width),
      .Retry(Retry),
      .Phits(Phits[u]),
      .CrossbarDelay(CrossbarDelay[u])
    ) u_sender (
      .clk_i,
      .rst_ni,
      .valid_i(valid_i[u][0]),
      .flit_i(flit_i[u][0 +: Width]),
      .nack_i(nack_there),
      .valid_o(sent),
      .flit_o(sent_word[0 +: Width]),
      .checksum_o(sent_word[Width +: 16]),
      .is_busy_o(is_busy_o[u][0]),
      .is_active_o(is_active_o[u][0])
    );

    allport_channel #(
      .Width(Width + 16),
      .Delay(Phits[u] - 1 + LinkDelay[u])
    ) u_channel (
      .clk_i,
      .rst_ni,
      .valid_i(sent),
      .data_i(sent_word),
      .valid_o(there),
      .data_o(word)
    );

    assign there_word = word ^ error_i[u][0 +: Width + 16];
    assign there_o[u] = Stride'({there, there_word});

    allport_retry_receiver #(
      .Width(Width),
      .Retry(Retry)
    ) u_receiver (
      .clk_i,
      .rst_ni,
      .valid_i(there),
      .flit_i(there_word[0 +: Width]),
      .checksum_i(there_word[Width +: 16]),
      .valid_o(valid_o[u][0]),
      .nack_o(nack),
      .is_active_o(is_active_o[u][1])
    );
    assign nack_o[u][0] = nack;

    allport_channel #(
      .Width(1),
      .Delay(LinkDelay[u])
    ) u_nack_channel (
      .clk_i,
      .rst_ni,
      .valid_i(nack),
      .data_i(1'b0),
      .valid_o(nack_there),
      .data_o(unused_data)
    );
  end

endmodule
