// SPDX-License-Identifier: Apache-2.0
// The options of the table [message].
#include <stdexcept>
#include <string>

#include "testbench/plan/option_fields.h"

namespace allport::option_fields {

namespace {

OptionField message_bytes() {
  OptionField field =
      unless_zero(bytes(at(&RunRequest::message, &MessageRequest::bytes), limits::bytes));
  field.get = [get = std::move(field.get)](const RunRequest& request) {
    return request.message.pairs == nullptr ? get(request) : Json();  // those of the largest pair
  };
  return field;
}

OptionField counts() {
  OptionField field = path(at(&RunRequest::message, &MessageRequest::counts));
  field.get = [](const RunRequest& request) {
    const MessageRequest& message = request.message;
    return message.counts.empty() && message.pairs != nullptr ? Json("a table")
                                                              : text_or_null(message.counts);
  };
  return field;
}

OptionField payload() {
  const Words words{"bytes", "symbolic"};
  return {[=](RunRequest& request, Text text) {
            request.message.payload = parse_word("payload", text, words) == "symbolic"
                                          ? Payload::symbols
                                          : Payload::bytes;
          },
          [=](const RunRequest& request) {
            const Payload payload = request.message.payload;
            if (payload == Payload::automatic) return Json();
            return Json(payload == Payload::symbols ? "symbolic" : "bytes");
          },
          words};
}

OptionField pieces() {
  OptionField field = integer(at(&RunRequest::message, &MessageRequest::pieces), limits::pieces);
  field.set = [set = std::move(field.set)](RunRequest& request, Text text) {
    if (text == "best") request.message.pieces = 0;
    if (text != "best") set(request, text);
  };
  field.get = [](const RunRequest& request) {
    return request.message.pieces == 0 ? Json("best") : Json(request.message.pieces);
  };
  field.words = {"best"};
  return field;
}

OptionField join_operation() {
  return {
      [](RunRequest& request, Text text) {
        const Words words = names_of<JoinOperation>();
        JoinTag& join = request.message.join;
        join = {0, *value_named<JoinOperation>(parse_word("join operation", text, words)),
                join.type()};
      },
      [](const RunRequest& request) { return Json(to_string(request.message.join.operation())); },
      names_of<JoinOperation>()};
}

OptionField join_type() {
  return {
      [](RunRequest& request, Text text) {
        const Words words = names_of<LaneType>();
        JoinTag& join = request.message.join;
        join = {0, join.operation(), *value_named<LaneType>(parse_word("join type", text, words))};
      },
      [](const RunRequest& request) { return Json(to_string(request.message.join.type())); },
      names_of<LaneType>()};
}

// A share of 0 is one, where there are long messages.
OptionField long_fraction() {
  OptionField field = decimal(at(&RunRequest::message, &MessageRequest::long_fraction), 0, 1);
  field.get = [](const RunRequest& request) {
    const MessageRequest& message = request.message;
    const bool has_some = message.flits_long != 0 || message.long_fraction != 0;
    return has_some ? Json(message.long_fraction) : Json();
  };
  return field;
}

template <class Member>
auto message(Member member) {
  return at(&RunRequest::message, member);
}

}  // namespace

Options message_options() {
  return {
      {"message", "flits", "L", "length of a message in flits",
       integer(message(&MessageRequest::flits), limits::flits),
       use::all & ~use::steps & ~use::fit & ~use::network, Told::always},
      {"message", "bytes", "BYTES",
       "length of a message in bytes, alone or with KiB, MiB or GiB, instead of --flits",
       message_bytes(), use::all & ~use::steps & ~use::fit & ~use::network, Told::always},
      {"message", "counts", "FILE",
       "the bytes that each rank of an alltoall sends to each other one, instead of one length for all, CSV: a line for each rank that sends, in it a cell for each one that receives; - is stdin",
       counts(), use::planning, Told::where_it_differs},
      {"message", "address_flits", "FLITS",
       "flits of each address in a header's list of the destinations that the receiver serves, in multicasts by unicasts",
       integer(message(&MessageRequest::address_flits), limits::address_flits), use::simulations,
       Told::where_it_differs},
      {"message",
       "flit_bytes",
       "BYTES",
       "payload of a flit, 1..64 bytes",
       bytes(message(&MessageRequest::flit_bytes), limits::flit_bytes),
       use::all & ~use::steps,
       Told::always,
       {},
       "counts"},
      {"message", "payload", "WHAT",
       "what messages carry: bytes, or symbolic (on worms; the usual choice above 2^31 bytes in all)",
       payload()},
      {"message", "pieces", "R",
       "pieces that each multicast is cut into, forwarded one by one: 1..flits, or best", pieces(),
       use::planning},
      {"message", "parts", "Q",
       "parts that each block of a collective is cut into; the usual number is the algorithm's, and 1 in a schedule file",
       unless_zero(integer(message(&MessageRequest::parts), limits::parts)), use::planning},
      {"message", "blocks", "B",
       "blocks of the vector or message of a schedule file; the usual number is one more than the largest in the file",
       unless_zero(integer(message(&MessageRequest::blocks), limits::pieces)),
       use::runs | use::check},
      {"message", "join_operation", "NAME",
       "what routers compute in joins: sum, min, max, and, or, xor", join_operation(),
       use::simulations | use::schedule},
      {"message", "join_type", "TYPE", "lanes of joins: u32, u64 or float32", join_type(),
       use::simulations | use::schedule},
      {"message", "flits_long", "L2", "long messages of a pattern: their length in flits",
       unless_zero(integer(message(&MessageRequest::flits_long), {2, limits::flits.high})),
       use::runs | use::tasks},
      {"message", "long_fraction", "F", "long messages of a pattern: their share, 0..1",
       long_fraction(), use::runs | use::tasks},
      {"message", "reply_flits", "LR",
       "length of the replies of --outstanding in flits, by default that of requests (--flits)",
       unless_zero(integer(at(&RunRequest::traffic, &TrafficTable::loop, &ClosedLoop::reply_flits),
                           limits::flits)),
       use::runs, Told::where_it_differs},
  };
}

}  // namespace allport::option_fields
