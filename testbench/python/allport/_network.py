# SPDX-License-Identifier: Apache-2.0
"""The class allport.Network, over the compiled module _allport_network."""

import importlib.util
import json
import operator
import weakref

from . import Error, Results, WrongUse, _files, _option_text, _plain

try:
    from . import _allport_network
except ImportError as fault:
    raise Error(f"allport.Network needs the compiled part of this package, which cannot be loaded: {fault}",
                None) from fault

_DELIVERY = [("id", "u8"), ("user", "u8"), ("source", "u4"), ("destination", "u4"), ("port", "u4"),
             ("message_class", "u4"), ("injected", "i8"), ("head", "i8"), ("tail", "i8")]
_LAST_CYCLE = 10**18


class Network:
    """A network of worms whose clock stands still but for the calls that let cycles pass.

    Network(topology="torus:8x8", vcs=2, queue_limit=64) opens one: its options are those of the tables
    [fabric] and [router] of a scenario, `ties`, `model`, `flit_bytes` (1..64, 4 unless it is given),
    `queue_limit` (flits of a message class that may wait at a node, 1..10^12; any number unless it is given),
    `reception_limit` (flits of the reception buffer of a class at each ejection channel, which messages fill until
    take(); B..10^9, and none unless it is given), `record` (True: it keeps what results() tells of, which grows
    with each message) and `explain` (True: what explain() tells of, too), with underscores or dashes. A list is a list or a text with commas.

    Nodes are 0, 1, .. below nodes(); cycles are whole numbers in 0..10^18, and the first is 0. What is wrong
    with a call raises allport.WrongUse, one sentence, and the network is as it was. One thread at a time uses
    a network; other threads of Python run while cycles pass. An exception of yours, in a call-back or between
    two calls, leaves the network as it stands, and what was received is not lost: the next call that lets
    cycles pass returns it. (What Ctrl-C interrupts in the very moment in which a call returns is.)
    """

    __slots__ = ("_core", "_call", "__weakref__")

    def __init__(self, **options):
        self._call = None
        if importlib.util.find_spec("numpy") is None:
            raise Error("allport.Network needs NumPy, which is not there: the package python3-numpy, or numpy of pip",
                        None)
        try:
            self._core = _allport_network.Network(_text(options))
        except Error as fault:
            raise type(fault)(_files.in_words(str(fault)), fault.status) from None

    def send(self, source, destination, bytes=0, at=None, *, user=0, flits=0, message_class=0):
        """Sends a message from node `source` to node `destination`, or many, and returns its number, or theirs.

        bytes: the length, 0..8 * 10^9; 0 bytes make one flit. flits: the length in flits, 1..10^9, in place of
        bytes. at: the cycle in which its first flit may be on the injection channel, now or later; None: now.
        user: a number in 0..2^64 - 1 that comes back with the delivery. message_class: 0 .. `classes` - 1.

        Each argument is a number, or an array or sequence of whole numbers; they are broadcast together. The
        messages of arrays are sent in the order of their elements, and the result is an array of uint64 of the
        same shape. Where the numbers are no whole numbers of their range or the shapes do not fit, nothing is
        sent. If the network refuses a message, those before it are sent and it and those behind it are not:
        the numbers of the ones sent are `sent` of the WrongUse that is raised.
        """
        number = self._core.send(source, destination, bytes, at, user, flits, message_class)
        if number is None:
            return self._send_many(source, destination, bytes, at, user, flits, message_class)
        return number

    def try_send(self, source, destination, bytes=0, at=None, *, user=0, flits=0, message_class=0):
        """Sends one message, as send() does, but returns None if `queue_limit` leaves no room at its source.

        A message longer than the limit raises WrongUse.
        """
        return self._core.try_send(source, destination, bytes, at, user, flits, message_class)

    def send_tree(self, source, bytes=0, at=None, *, user=0, flits=0, message_class=0, free=None):
        """Sends a message from `source` to all other nodes of its group, which routers copy; returns its number.

        free: the dimensions in which the nodes of the group differ, as in (0, 2); None: all, so that all nodes
        receive it. It is delivered once to each. The other arguments are those of send(), one number each.
        """
        return self._core.send_tree(source, bytes, at, user, flits, message_class, _mask(free))

    def advance(self, to):
        """Lets the cycles up to `to`, now or later, pass, so that now() is `to` + 1; returns what was received.

        The result is an array with a row for each reception, by cycle (`tail`), node and port, whose fields are
        id and user (uint64), source, destination (the node that received it), port (its ejection channel) and
        message_class, uint32, and the cycles (int64) injected (of the head on the injection channel), head and tail (of these on
        the ejection channel). pandas.DataFrame(network.advance(1000)) makes a frame of it.
        """
        return _deliveries(self._core.advance(to))

    def advance_to_delivery(self, limit):
        """Lets cycles pass up to the first one, `limit` at most, in which anything is received.

        Returns all that is received in it, as advance() does; now() is that cycle, and a message that is sent now
        leaves in it. If nothing is received, it is advance(limit).
        """
        return _deliveries(self._core.advance_to_delivery(limit))

    def next_event(self):
        """The cycle before which nothing is received unless more is sent; None: nothing will be."""
        return self._core.next_event()

    def now(self):
        """The cycle at which the clock stands."""
        return self._core.now()

    def nodes(self):
        """The number of nodes."""
        return self._core.nodes()

    def lookahead(self, source, destination):
        """Cycles from the `at` of a message to the reception of its head, at least."""
        return self._core.lookahead(source, destination)

    def expected(self, source, destination, bytes):
        """Cycles from the `at` of a message of 0..8 * 10^9 bytes to its reception, if it meets nothing."""
        return self._core.expected(source, destination, bytes)

    def queued(self, node, message_class=0):
        """Flits of a class that wait at a node: sent, and not on an injection channel in a cycle before now()."""
        return self._core.queued(node, message_class)

    def take(self, id, node):
        """With a `reception_limit`: `node` takes message `id`, which it has received, out of its reception buffer."""
        self._core.take(id, node)

    def waits_for(self, node, message_class, id):
        """With a `reception_limit`: says that `node` takes nothing of a class before message `id` has been received.

        It changes nothing but what deadlock() and results() name: the node may still take, and messages may be sent.
        """
        self._core.waits_for(node, message_class, id)

    def limit(self):
        """The most flits of a class that may wait at a node; None: any number."""
        return self._core.limit()

    def on_space(self, call):
        """Has call(node, message_class) made when there is room again where try_send() found none; None: no more.

        It is made while cycles pass, in the first cycle with room for the shortest message that was refused. It
        may send and take; it neither lets cycles pass nor closes the network. What it raises leaves the call in which
        cycles pass, and the next one goes on from there.
        """
        if call is None:
            self._core.on_space(None)
        elif not callable(call):
            raise WrongUse(f"on_space: {call!r} cannot be called", 2)
        else:
            self._core.on_space(_Caller(self))
        self._call = call

    def is_idle(self):
        """Whether nothing is under way or will be."""
        return self._core.is_idle()

    def deadlock(self):
        """Who waits for which channel, held by whom, a sentence each, if nothing can ever move; else None.

        What follows from waits_for() ends where a node takes something all the same.
        """
        words = self._core.deadlock()
        return None if words is None else words.splitlines()

    def results(self):
        """With `record` or `explain`: what allport.run() tells of the messages so far as a schedule with times, as Results.

        It is a dictionary with the keys, units and meanings of the results of a run, as far as the messages have come in
        the cycles before now(): `messages`, `cycles`, `flit_hops`, `contention`, `deadlock`, `digest`, and `traffic`,
        rates and latencies over these cycles. Its schema is allport.schema("network").
        """
        return Results(json.loads(self._core.results()))

    def explain(self, messages="all"):
        """With `explain`: results() with the `explanation` of the latencies so far, that of `allport explain`.

        messages: of which ones it has accounts, with whom they blame: "all" in the order of their receptions,
        "slowest:10", or one, "message:5>9#0", by sender, receiver and place at its sender in the order of (`at`, call).
        Messages under way have theirs up to now(), in `unfinished`.
        """
        if not isinstance(messages, str) or not messages.isascii() or "\0" in messages:
            raise WrongUse(f"explain: {messages!r} must be all, slowest:N or a message, such as message:5>9#0", 2)
        return Results(json.loads(self._core.explain(messages)))

    def copy(self):
        """An independent network in the same state, of which you may ask what would happen.

        From equal calls on both go on alike. It has no call-back of on_space(), and nobody waits for room in it.
        copy.copy() and copy.deepcopy() do the same.
        """
        other = Network.__new__(type(self))
        other._call = None
        other._core = self._core.copy()
        return other

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def close(self):
        """Closes it: every other call raises WrongUse from now on. Closing it again does nothing."""
        self._core.close()
        self._call = None

    @property
    def closed(self):
        """Whether it was closed."""
        return self._core.is_closed()

    def __enter__(self):
        self._core.now()  # which raises if it is closed
        return self

    def __exit__(self, *_):
        self.close()

    def __reduce_ex__(self, protocol):
        raise TypeError("a network is not pickled; copy() copies it within its process")

    def __repr__(self):
        if self.closed:
            return "<allport.Network, closed>"
        return f"<allport.Network of {self.nodes()} nodes in cycle {self.now()}>"

    def _send_many(self, *values):
        import numpy

        names = ("source", "destination", "bytes", "at", "user", "flits", "message_class")
        types = ("u4", "u4", "u8", "i8", "u8", "i8", "u4")
        highs = (2**32 - 1, 2**32 - 1, 2**64 - 1, _LAST_CYCLE, 2**64 - 1, 2**63 - 1, 2**32 - 1)
        values = [self.now() if name == "at" and value is None else value for name, value in zip(names, values)]
        columns = [_column(numpy, *column) for column in zip(names, values, types, highs)]
        try:
            columns = numpy.broadcast_arrays(*columns)
        except ValueError:
            shapes = ", ".join(f"{name} {column.shape}" for name, column in zip(names, columns) if column.ndim)
            raise WrongUse(f"the shapes of the arrays do not fit: {shapes}", 2) from None
        ids = numpy.empty(columns[0].shape, "u8")
        flat = ids.reshape(-1)
        count, sentence = self._core.send_many(flat, *(numpy.ascontiguousarray(one.reshape(-1)) for one in columns))
        if sentence is None:
            return ids
        error = WrongUse(f"message {count} of {ids.size}: {sentence}", 2)
        error.sent = flat[:count].copy()
        raise error


class _Caller:
    """Calls what on_space() was given; it does not keep the network alive."""

    def __init__(self, network):
        self._network = weakref.ref(network)

    def __call__(self, node, message_class):
        self._network()._call(node, message_class)


def _text(options):
    items = []
    for key, value in options.items():
        value = _plain(value)
        text = str(value).lower() if isinstance(value, bool) else _option_text(value)
        if text is None:
            continue
        if "\0" in key or "\0" in text:
            raise WrongUse(f"{key!a}: {text!a} has a zero byte in it", 2)
        if any(sign in key for sign in ' \t\r\n="'):
            raise WrongUse(f"{key!r} is not the name of an option", 2)
        if any(sign in text for sign in ' \t\r\n"'):
            text = '"' + text.replace('"', '""') + '"'
        items.append(f"{key.replace('-', '_')}={text}")
    try:
        return " ".join(items).encode("utf-8")
    except UnicodeEncodeError:
        raise WrongUse(f"the options have half of a character, which no text may have: {items!a}", 2) from None


def _mask(free):
    if free is None:
        return 0
    mask = 0
    for dimension in [free] if hasattr(free, "__index__") else free:
        number = _whole(dimension)
        if number is None or not 0 <= number < 32:
            raise WrongUse(f"free: {dimension!r} is not a whole number in 0..31", 2)
        if mask >> number & 1:
            raise WrongUse(f"free: dimension {number} is there twice", 2)
        mask |= 1 << number
    if mask == 0:
        raise WrongUse("free: it has no dimension, and a tree needs one", 2)
    return mask


def _whole(value):
    """A whole number as one of Python; None: it is none, as True and False are, also NumPy's."""
    if isinstance(value, bool) or getattr(getattr(value, "dtype", None), "kind", None) == "b":
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def _column(numpy, name, value, kind, high):
    try:
        array = numpy.asarray(value)
    except ValueError:
        array = numpy.array(None)
    if array.size == 0:
        array = array.astype(kind)
    elif array.dtype.kind in "iuf" and not hasattr(value, "dtype"):
        # Numbers beyond 2^63 in a list are floats to NumPy, and True and False beside numbers are numbers.
        given = numpy.array(value, dtype=object)
        if array.dtype.kind == "f" or not {bool, numpy.bool_}.isdisjoint(map(type, given.reshape(-1))):
            array = given
    if array.dtype.kind not in "iuO" and array.ndim == 0:
        raise WrongUse(f"{name}: {value!r} is not a whole number in 0..{high}", 2)
    if array.dtype.kind not in "iuO":
        raise WrongUse(f"{name}: an array of {array.dtype} is not one of whole numbers", 2)
    if array.dtype.kind == "O":
        array = _of_objects(numpy, name, array, high)
    elif array.size and (int(array.min()) < 0 or int(array.max()) > high):
        wrong = array.min() if int(array.min()) < 0 else array.max()
        raise WrongUse(f"{name}: {wrong} is not a whole number in 0..{high}", 2)
    return array.astype(kind, copy=False)


def _of_objects(numpy, name, array, high):
    for value in array.reshape(-1):
        number = _whole(value)
        if number is None or not 0 <= number <= high:
            raise WrongUse(f"{name}: {value!r} is not a whole number in 0..{high}", 2)
    return array


def _deliveries(rows):
    import numpy

    kind = numpy.dtype(_DELIVERY, align=True)
    return numpy.frombuffer(rows, kind) if rows else numpy.empty(0, kind)
