// SPDX-License-Identifier: Apache-2.0
// What is compiled of allport.Network for Python (allport/_network.py, which says what each call
// does): the functions of allport.h, with errors as exceptions. While cycles pass other threads of
// Python run, and one of them that calls the same network is refused. It knows nothing of NumPy:
// arrays come as buffers, and deliveries go as the bytes of their rows.
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "testbench/network/c/allport.h"

namespace py = pybind11;

namespace allport {

namespace {

constexpr std::int64_t last_cycle = 1'000'000'000'000'000'000;  // of a network
constexpr std::int64_t slice = 10'000;  // cycles between two looks at signals, as of Ctrl-C

// The caller asks for what cannot be: allport.WrongUse.
struct Refused {
  std::string sentence;
};
// The library could not: allport.Error.
struct Failed {
  std::string sentence;
};

// A row of the array of deliveries (`delivery_fields` of _network.py).
struct Row {
  std::uint64_t id;
  std::uint64_t user;
  std::uint32_t source;
  std::uint32_t destination;
  std::uint32_t port;
  std::uint32_t message_class;
  std::int64_t injected;
  std::int64_t head;
  std::int64_t tail;
};
static_assert(sizeof(Row) == 56);

std::string words_of(py::handle value) { return py::cast<std::string>(py::repr(value)); }

[[noreturn]] void refuse_number(py::handle value, const char* name, std::uint64_t high) {
  PyErr_Clear();
  throw Refused{std::string(name) + ": " + words_of(value) + " is not a whole number in 0.." +
                std::to_string(high)};
}

// Whether a value is True or False, also NumPy's, which are indices in some versions of it.
bool is_truth(py::handle value) {
  if (PyLong_CheckExact(value.ptr()) != 0) return false;
  if (PyBool_Check(value.ptr()) != 0) return true;
  return py::hasattr(value, "dtype") &&
         py::cast<std::string>(py::str(py::getattr(value.attr("dtype"), "kind", py::str()))) == "b";
}

// A whole number in 0..`high`; True and False are none.
std::uint64_t whole(py::handle value, const char* name, std::uint64_t high) {
  if (is_truth(value)) refuse_number(value, name, high);
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!number) refuse_number(value, name, high);
  const unsigned long long is = PyLong_AsUnsignedLongLong(number.ptr());
  if (PyErr_Occurred() != nullptr || is > high) refuse_number(value, name, high);
  return is;
}

// A node or a message class: the library knows which there are.
std::uint32_t node(py::handle value, const char* name) {
  return static_cast<std::uint32_t>(whole(value, name, std::numeric_limits<std::uint32_t>::max()));
}

std::int64_t cycle(py::handle value, const char* name) {
  return static_cast<std::int64_t>(whole(value, name, last_cycle));
}

// Whether a value is one number, not several; NumPy's numbers have no dimensions.
bool is_scalar(py::handle value) {
  if (PyLong_Check(value.ptr()) != 0) return true;
  if (PyIndex_Check(value.ptr()) == 0) return false;
  return !py::hasattr(value, "ndim") || py::cast<int>(value.attr("ndim")) == 0;
}

// The elements of a column of whole numbers, as _network.py has made it.
template <class Number>
Number* elements(const py::buffer& column, std::size_t count, bool is_written = false) {
  const py::buffer_info info = column.request(is_written);
  if (info.ndim != 1 || info.itemsize != sizeof(Number) ||
      static_cast<std::size_t>(info.size) != count || info.strides[0] != info.itemsize) {
    throw Failed{"a column has another form than the others"};
  }
  return static_cast<Number*>(info.ptr);
}

class PythonNetwork {
 public:
  explicit PythonNetwork(const std::string& options) : network_(allport_open(options.c_str())) {
    if (network_ == nullptr) throw Failed{"there is no memory left for another network"};
    if (allport_opened(network_) == ALLPORT_OK) return;
    const std::string sentence = allport_error(network_);
    allport_close(network_);
    throw Refused{sentence};
  }
  /// A copy: `other` has no call-back in it, and what it has received and not returned is in both.
  explicit PythonNetwork(PythonNetwork& other) : network_(other.copied()), heard_(other.heard_) {}
  ~PythonNetwork() { allport_close(network_); }
  PythonNetwork& operator=(const PythonNetwork&) = delete;

  void close() {
    if (is_closed()) return;
    call([](allport_network* network) { return allport_close(network); });
    call_ = py::none();
  }
  bool is_closed() const { return allport_opened(network_) == ALLPORT_CLOSED; }

  std::uint32_t nodes() { return number<std::uint32_t>(allport_nodes); }
  std::int64_t now() { return number<std::int64_t>(allport_now); }
  bool is_idle() { return number<int>(allport_is_idle) != 0; }

  py::object limit() {
    const auto flits = number<std::int64_t>(allport_limit);
    return flits == 0 ? py::object(py::none()) : py::int_(flits);
  }

  py::object next_event() {
    const auto next = number<std::int64_t>(allport_next_event);
    return next == ALLPORT_NEVER ? py::object(py::none()) : py::int_(next);
  }

  // None: some of the arguments are several numbers.
  py::object send(py::handle source, py::handle destination, py::handle bytes, py::handle at,
                  py::handle user, py::handle flits, py::handle message_class) {
    for (const py::handle one : {source, destination, bytes, user, flits, message_class}) {
      if (!is_scalar(one)) return py::none();
    }
    if (!at.is_none() && !is_scalar(at)) return py::none();
    allport_message message = message_of(source, bytes, user, flits, message_class);
    message.destination = node(destination, "destination");
    return py::int_(send_one(message, at));
  }

  // None: there is no room.
  py::object try_send(py::handle source, py::handle destination, py::handle bytes, py::handle at,
                      py::handle user, py::handle flits, py::handle message_class) {
    allport_message message = message_of(source, bytes, user, flits, message_class);
    message.destination = node(destination, "destination");
    const std::int64_t cycle = at_or_now(at);
    std::uint64_t id = 0;
    require_alone();
    const allport_status status = allport_try_send(network_, &message, cycle, &id);
    if (status == ALLPORT_NO_ROOM) return py::none();
    require(status);
    return py::int_(id);
  }

  // `free`: a bit for each free dimension; 0: all.
  std::uint64_t send_tree(py::handle source, py::handle bytes, py::handle at, py::handle user,
                          py::handle flits, py::handle message_class, std::uint32_t free) {
    allport_message message = message_of(source, bytes, user, flits, message_class);
    message.kind = ALLPORT_TREE;
    message.free = free;
    return send_one(message, at);
  }

  // Sends in order, and writes the numbers into `ids`, up to the first message that is refused.
  // Returns how many were sent, and why no more, or None.
  py::tuple send_many(const py::buffer& ids, const py::buffer& source,
                      const py::buffer& destination, const py::buffer& bytes, const py::buffer& at,
                      const py::buffer& user, const py::buffer& flits,
                      const py::buffer& message_class) {
    const auto count = static_cast<std::size_t>(ids.request().size);
    auto* const numbers = elements<std::uint64_t>(ids, count, true);
    const auto* const sources = elements<std::uint32_t>(source, count);
    const auto* const destinations = elements<std::uint32_t>(destination, count);
    const auto* const lengths = elements<std::uint64_t>(bytes, count);
    const auto* const cycles = elements<std::int64_t>(at, count);
    const auto* const users = elements<std::uint64_t>(user, count);
    const auto* const flit_counts = elements<std::int64_t>(flits, count);
    const auto* const classes = elements<std::uint32_t>(message_class, count);
    allport_message message = {};
    message.size = sizeof message;
    std::size_t sent = 0;
    allport_status status = ALLPORT_OK;
    require_alone();
    require(allport_opened(network_));
    without_the_lock([&] {
      for (; sent < count && status == ALLPORT_OK; ++sent) {
        message.source = sources[sent];
        message.destination = destinations[sent];
        message.bytes = lengths[sent];
        message.user = users[sent];
        message.flits = flit_counts[sent];
        message.message_class = classes[sent];
        status = allport_send(network_, &message, cycles[sent], &numbers[sent]);
        if (status != ALLPORT_OK) return;
      }
    });
    if (status == ALLPORT_OK) return py::make_tuple(sent, py::none());
    if (status != ALLPORT_WRONG_USE) require(status);
    return py::make_tuple(sent, allport_error(network_));
  }

  // The bytes of the rows of what is received.
  py::bytearray advance(py::handle to) {
    return pass(cycle(to, "advance to"), allport_advance, false);
  }
  py::bytearray advance_to_delivery(py::handle limit) {
    return pass(cycle(limit, "advance to"), allport_advance_to_delivery, true);
  }

  std::int64_t lookahead(py::handle source, py::handle destination) {
    const std::uint32_t from = node(source, "source");
    const std::uint32_t to = node(destination, "destination");
    std::int64_t cycles = 0;
    call([&](allport_network* one) { return allport_lookahead(one, from, to, &cycles); });
    return cycles;
  }
  std::int64_t expected(py::handle source, py::handle destination, py::handle bytes) {
    const std::uint32_t from = node(source, "source");
    const std::uint32_t to = node(destination, "destination");
    const std::uint64_t length = any_whole(bytes, "bytes");
    std::int64_t cycles = 0;
    call([&](allport_network* one) { return allport_expected(one, from, to, length, &cycles); });
    return cycles;
  }
  std::int64_t queued(py::handle at, py::handle message_class) {
    const std::uint32_t place = node(at, "node");
    const std::uint32_t of_class = node(message_class, "message_class");
    std::int64_t flits = 0;
    call([&](allport_network* one) { return allport_queued(one, place, of_class, &flits); });
    return flits;
  }

  void take(py::handle id, py::handle at) {
    const std::uint64_t message = any_whole(id, "id");
    const std::uint32_t place = node(at, "node");
    call([&](allport_network* one) { return allport_take(one, message, place); });
  }
  void waits_for(py::handle at, py::handle message_class, py::handle id) {
    const std::uint32_t place = node(at, "node");
    const std::uint32_t of_class = node(message_class, "message_class");
    const std::uint64_t message = any_whole(id, "id");
    call([&](allport_network* one) { return allport_waits_for(one, place, of_class, message); });
  }

  // JSON.
  py::str results() {
    const char* text = nullptr;
    call([&](allport_network* one) { return allport_results(one, &text); });
    return py::str(text);
  }

  py::str explain(const std::string& messages) {
    const char* text = nullptr;
    call([&](allport_network* one) { return allport_explain(one, messages.c_str(), &text); });
    return py::str(text);
  }

  // The lines of a deadlock, or None.
  py::object deadlock() {
    int is_deadlocked = 0;
    const char* words = nullptr;
    call([&](allport_network* one) { return allport_deadlock(one, &is_deadlocked, &words); });
    return is_deadlocked == 0 ? py::object(py::none()) : py::str(words);
  }

  void on_space(py::object call_back) {
    const bool is_none = call_back.is_none();
    call([&](allport_network* one) {
      return is_none ? allport_on_space(one, nullptr, nullptr) : allport_on_space(one, tell, this);
    });
    call_ = std::move(call_back);
  }

 private:
  // The thread that is in the network, for as long as this is there.
  class Visit {
   public:
    explicit Visit(PythonNetwork& network) : network_(network), before_(network.visitor_) {
      network_.visitor_ = PyThread_get_thread_ident();
    }
    ~Visit() { network_.visitor_ = before_; }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    PythonNetwork& network_;
    const unsigned long before_;
  };

  allport_network* copied() {
    allport_network* copy = nullptr;
    call([&](allport_network* one) { return allport_copy(one, &copy); });
    return copy;
  }

  void require_alone() const {
    if (visitor_ == 0 || visitor_ == PyThread_get_thread_ident()) return;
    throw Refused{"another thread is in this network: one thread at a time may be"};
  }

  void require(allport_status status) const {
    switch (status) {
      case ALLPORT_OK:
        return;
      case ALLPORT_CLOSED:
        throw Refused{"the network is closed"};
      case ALLPORT_WRONG_USE:
        throw Refused{allport_error(network_)};
      default:
        throw Failed{allport_error(network_)};
    }
  }

  template <class Call>
  void call(Call one) {
    require_alone();
    require(one(network_));
  }

  template <class Number>
  Number number(allport_status (*call)(allport_network*, Number*)) {
    Number is = 0;
    require_alone();
    require(call(network_, &is));
    return is;
  }

  template <class Action>
  void without_the_lock(Action action) {
    const Visit visit(*this);
    const py::gil_scoped_release release;
    action();
  }

  static std::uint64_t any_whole(py::handle value, const char* name) {
    return whole(value, name, std::numeric_limits<std::uint64_t>::max());
  }

  std::int64_t at_or_now(py::handle at) { return at.is_none() ? now() : cycle(at, "at"); }

  static allport_message message_of(py::handle source, py::handle bytes, py::handle user,
                                    py::handle flits, py::handle message_class) {
    allport_message message = {};
    message.size = sizeof message;
    message.source = node(source, "source");
    message.bytes = any_whole(bytes, "bytes");
    message.user = any_whole(user, "user");
    message.flits =
        static_cast<std::int64_t>(whole(flits, "flits", std::numeric_limits<std::int64_t>::max()));
    message.message_class = node(message_class, "message_class");
    return message;
  }

  std::uint64_t send_one(const allport_message& message, py::handle at) {
    const std::int64_t cycle = at_or_now(at);
    std::uint64_t id = 0;
    call([&](allport_network* one) { return allport_send(one, &message, cycle, &id); });
    return id;
  }

  // Lets cycles pass, in slices between which Python looks at its signals; a slice begins no
  // earlier than anything can be received. What was received before a call-back or a signal
  // raised is returned by the next call.
  py::bytearray pass(std::int64_t to,
                     allport_status (*by)(allport_network*, std::int64_t, std::size_t*),
                     bool stops_at_delivery) {
    for (;;) {
      const std::int64_t begin = std::max(now(), number<std::int64_t>(allport_next_event));
      const std::int64_t end = begin < to - slice ? begin + slice : to;
      std::size_t count = 0;
      allport_status status = ALLPORT_OK;
      without_the_lock([&] { status = by(network_, end, &count); });
      if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
      require(status);
      hear(count);
      if (end == to || (stops_at_delivery && count > 0)) break;
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
    py::bytearray bytes(reinterpret_cast<const char*>(heard_.data()), heard_.size() * sizeof(Row));
    heard_.clear();
    return bytes;
  }

  void hear(std::size_t count) {
    allport_delivery one = {};
    one.size = sizeof one;
    heard_.reserve(heard_.size() + count);
    for (std::size_t i = 0; i < count; ++i) {
      require(allport_get_delivery(network_, i, &one));
      heard_.push_back({one.id, one.user, one.source, one.destination, one.port, one.message_class,
                        one.injected, one.head, one.tail});
    }
  }

  // Calls Python, which has raised if this throws: the library lets it pass out of its call.
  static void tell(void* data, allport_network*, std::uint32_t node, std::uint32_t message_class) {
    auto& network = *static_cast<PythonNetwork*>(data);
    const py::gil_scoped_acquire acquire;
    try {
      network.call_(node, message_class);
    } catch (const py::error_already_set&) {
      network.raised_ = std::current_exception();
    }
    if (network.raised_) throw std::runtime_error("a call-back has raised");
  }

  allport_network* const network_;
  unsigned long visitor_ = 0;  // the thread in a call that lets others run; 0: nobody
  std::vector<Row> heard_;     // what was received and not yet returned
  py::object call_ = py::none();
  std::exception_ptr raised_;
};

// Raises an exception of the package.
void raise(const char* type, const std::string& sentence, const py::object& status) {
  const py::object kind = py::module_::import("allport").attr(type);
  PyErr_SetObject(kind.ptr(), kind(sentence, status).ptr());
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const Refused& refused) {
    raise("WrongUse", refused.sentence, py::int_(2));
  } catch (const Failed& failed) {
    raise("Error", failed.sentence, py::none());
  }
}

}  // namespace

}  // namespace allport

PYBIND11_MODULE(_allport_network, module) {
  using allport::PythonNetwork;
  py::register_local_exception_translator(allport::translate);
  module.attr("version") = allport_version();
  py::class_<PythonNetwork>(module, "Network")
      .def(py::init<const std::string&>())
      .def("close", &PythonNetwork::close)
      .def("is_closed", &PythonNetwork::is_closed)
      .def("nodes", &PythonNetwork::nodes)
      .def("now", &PythonNetwork::now)
      .def("limit", &PythonNetwork::limit)
      .def("send", &PythonNetwork::send)
      .def("try_send", &PythonNetwork::try_send)
      .def("send_tree", &PythonNetwork::send_tree)
      .def("send_many", &PythonNetwork::send_many)
      .def("advance", &PythonNetwork::advance)
      .def("advance_to_delivery", &PythonNetwork::advance_to_delivery)
      .def("next_event", &PythonNetwork::next_event)
      .def("lookahead", &PythonNetwork::lookahead)
      .def("expected", &PythonNetwork::expected)
      .def("queued", &PythonNetwork::queued)
      .def("take", &PythonNetwork::take)
      .def("waits_for", &PythonNetwork::waits_for)
      .def("is_idle", &PythonNetwork::is_idle)
      .def("deadlock", &PythonNetwork::deadlock)
      .def("results", &PythonNetwork::results)
      .def("explain", &PythonNetwork::explain)
      .def("copy", [](PythonNetwork& one) { return std::make_unique<PythonNetwork>(one); })
      .def("on_space", &PythonNetwork::on_space);
}
