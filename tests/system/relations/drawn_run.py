# SPDX-License-Identifier: Apache-2.0
"""Runs at random: a fabric, something that is sent, and options of every table."""
import json
import re

SHAPES = ("hypercube:1", "hypercube:3", "hypercube:4", "torus:4x4", "torus:3x5", "mesh:4x3", "mesh:2x2x3", "ring:2",
          "ring:5", "ring:8")
SMALL = ("0", "1", "3", "20")
STAGES = ("0", "1", "2", "4")

# Values of the options. A new option of the program needs a line here.
VALUES = {
    "fabric": {"routing": ("descending", "ascending", "adaptive", "dimension-ordered", "table:dimension", "table:updown",
                           "table:shortest"), "ports": ("all", "1", "2"),
               "missing_links": ("0-1", "random:0", "random:1", "random:2:5", "random-cut:2"),
               "missing_nodes": ("0", "random:0", "random:2", "random:3:5", "random-cut:2:3"), "replan": ("true",)},
    "router": {"vcs": ("1", "2", "4", "6"), "vc_use": ("strict", "balanced"), "classes": ("1", "2", "3"), "buffer_depth": ("1", "4", "16", "64"),
               "link_delay": ("0", "1", "3"), "link_width": ("1", "2", "4"), "link_attributes": ("slow.csv", "narrow.csv"), "replication_delay": SMALL,
               "route_delay": STAGES, "vc_delay": STAGES, "crossbar_delay": STAGES,
               "retry": ("true",), "flit_errors": ("0.0@2", "0.0@3,0.0@9", "errors.txt"), "flit_error_rate": ("0", "0.01", "0.2"),
               "bit_error_rate": ("1e-4", "0.001"), "lose_credit": ("0.0.0@9", "0.0.0@+4"),
               "combine_delay": SMALL, "combine": ("port", "arrival"), "join_vcs": ("0", "1", "2"),
               "switching": ("wormhole", "cut-through", "store-and-forward", "circuit")},
    "message": {"flits": ("1", "2", "8", "16", "20", "48"), "bytes": ("1", "7", "64", "100"),
                "flit_bytes": ("1", "4", "8"), "payload": ("bytes", "symbolic"), "pieces": ("1", "2", "4", "best"),
                "parts": ("1", "2", "3"), "blocks": ("2", "4", "16"), "join_operation": ("sum", "max", "xor"),
                "join_type": ("u32", "u64", "float32"), "flits_long": ("32",), "reply_flits": ("1", "9"), "long_fraction": ("0.25",),
                "address_flits": ("0", "1", "3")},
    "node": {"ts": ("0", "7", "50", "200"), "tr": SMALL, "ts_per_flit": ("0", "1", "2"), "tr_per_flit": ("0", "1", "2"),
             "send": ("nwrite", "blocking"), "receive": ("delay", "occupies"), "startup": ("serial", "per-port"),
             "duplex": ("full", "half"), "bandwidth": ("private", "shared"), "clock": ("1", "1.25"), "jitter": SMALL,
             "skew": SMALL, "barrier": ("none", "0", "9", "messages"), "preset": ("t3e", "ncube2")},
    "traffic": {"steps": ("naive", "aware"), "ties": ("positive", "negative", "alternate", "random:3"),
                "embed": ("ring:8", "ring:16", "torus:4x4"), "place": ("identity", "gray", "snake", "groups", "random:7"),
                "ranks": ("ring:8", "ring:16", "torus:4x4", "hypercube:4", "4", "8"), "group": ("0,1,3", "1,2", "box:2x2", "subcube:0bx1x"),
                "groups": ("dim:0", "dim:1", "box:2x2"), "source": ("0", "1", "0,1"),
                "destinations": ("all", "1", "1,2,3", "random:2"),
                "chain": ("0,1", "0,1,3,6,4", "5,4,1,3,2", "1,0,7,5"), "trials": ("1", "2"), "seed": ("1", "2", "77"),
                "service": ("0", "40"), "reception_limit": ("64",), "warmup": ("0", "20")},
}
# The files that the values name.
FILES = {"slow.csv": "0,1,3\n", "narrow.csv": "u,v,width\n0,1,2\n", "errors.txt": "0.0@4\n0.0@6  # and once more\n"}
# These say what is sent, or name a file of it; a kind of run sets them.
OF_KINDS = {"topology", "algorithm", "algorithms", "collective", "schedule", "tasks", "pattern", "flows", "counts", "block", "rate", "outstanding",
            "collective_rate", "cycles", "hotspot", "hotspot_fraction"}


def option(key, value):
    name = "--" + key.replace("_", "-")
    return name if value == "true" else f"{name}={value}"


def node_count(shape):
    kind, sides = shape.split(":")
    if kind == "hypercube":
        return 2 ** int(sides)
    count = 1
    for side in sides.split("x"):
        count *= int(side)
    return count


class Table:
    """The options of the program, read from its schema."""

    def __init__(self, schema):
        self.tables = {name: table["properties"] for name, table in schema["properties"].items()}
        missing = [key for table, known in VALUES.items() for key in self.tables[table]
                   if key not in known and key not in OF_KINDS]
        if missing:
            raise SystemExit(f"relations: VALUES in drawn_run.py has none for {', '.join(missing)}")

    def words(self, key):
        pattern = self.tables["traffic"][key]["pattern"]
        return re.fullmatch(r"\^\((.*)\)\$", pattern).group(1).split("|")

    def table_of(self, key):
        return next(name for name, table in self.tables.items() if key in table)

    def default(self, key):
        """The default in the help where it is a value; None where it is a sentence, or there is none."""
        found = re.search(r" \[([^\] ]+)\]$", self.tables[self.table_of(key)][key]["description"])
        return found and found.group(1)


class DrawnRun:
    """Options by key, and the files that they name."""

    def __init__(self, options, files, kind):
        self.options, self.files, self.kind = dict(options), dict(files), kind

    def changed(self, files=None, **options):
        """A copy with other options; None takes one away."""
        merged = {**self.options, **options}
        return DrawnRun({k: v for k, v in merged.items() if v is not None}, {**self.files, **(files or {})}, self.kind)

    def words(self, command="run"):
        return [command, *(option(key, value) for key, value in self.options.items())]

    @property
    def shape(self):
        return self.options["topology"]

    @property
    def nodes(self):
        return node_count(self.shape)


def lines(items):
    return "".join(json.dumps(one) + "\n" for one in items)


def drawn_schedule(rng, nodes):
    """Unicasts between random nodes, with lengths and starts of their own: a timed schedule."""
    orders, items = {}, []
    for _ in range(rng.randint(1, 12)):
        u = rng.randrange(nodes)
        v = (u + rng.randint(1, nodes - 1)) % nodes
        order = orders[u] = orders.get(u, -1) + 1
        items.append({"u": u, "v": v, "step": order + 1, "order": order, "flits": rng.choice((1, 5, 9, 16))})
        if rng.random() < 0.3:
            items[-1]["at"] = rng.randint(0, 40)
    return items


def drawn_tasks(rng, nodes):
    """Messages between random ranks, with a tag each, some computations, and perhaps a collective."""
    items = []
    for tag in range(rng.randint(1, 10)):
        u = rng.randrange(nodes)
        v = (u + rng.randint(1, nodes - 1)) % nodes
        items.append({"node": u, "send": True, "to": v, "tag": tag, "flits": rng.choice((1, 5, 9, 16))})
        items.append({"node": v, "receive": True, "from": u, "tag": tag})
    for number in range(rng.randint(0, 3)):
        items.append({"node": rng.randrange(nodes), "task": f"work{number}", "compute": rng.randint(0, 99)})
    if rng.random() < 0.4:
        name = rng.choice(("bcast", "allreduce", "allgather", "reduce"))
        for rank in range(nodes):
            items.append({"node": rank, "collective": name, "flits": 16})
            if name in ("bcast", "reduce"):
                items[-1]["root"] = 0
    return items


def drawn_flows(rng, nodes):
    """Flows between random nodes, of which some last for a time only, or come and go."""
    rows = ["source,destination,rate,flits,from,to,on,off"]
    for _ in range(rng.randint(1, 12)):
        u = rng.randrange(nodes)
        v = (u + rng.randint(1, nodes - 1)) % nodes
        time = rng.choice((",,,", "40,,,", ",99,,", "10,,5,15"))
        rows.append(f"{u},{v},{rng.choice(('0', '0.1', '0.9'))},{rng.choice((1, 5, 9, 16))},{time}")
    return "\n".join(rows) + "\n"


def drawn_counts(rng, nodes):
    """The bytes of each pair, of which many send nothing."""
    cell = lambda: str(rng.choice((0, 0, 1, 4, 7, 64, 200)))
    return "".join(",".join(cell() for _ in range(nodes)) + "\n" for _ in range(nodes))


def drawn_block(rng):
    """A broadcast on torus:4x4, whose nodes each get the message from one that has it."""
    informed, steps, sent, items = [rng.randrange(16)], {}, {}, []
    for v in rng.sample([node for node in range(16) if node not in informed], 15):
        u = rng.choice(informed[-4:])
        steps[v] = max(steps.get(u, 0), sent.get(u, 0)) + 1
        order = sum(item["u"] == u for item in items)
        sent[u] = steps[v]
        items.append({"u": u, "v": v, "step": steps[v], "order": order})
        informed.append(v)
    return items


def drawn_run(rng, table):
    """A run that may well be refused."""
    shape = rng.choice(SHAPES)
    nodes = node_count(shape)
    kind = rng.choice(("algorithm",) * 5 + ("timed", "tasks", "pattern", "pattern", "flows", "load"))
    options, files = {"topology": shape}, {}
    if kind in ("algorithm", "load"):
        options["algorithm"] = rng.choice(table.words("algorithm"))
    if options.get("algorithm", "").endswith("alltoall") and rng.random() < 0.7:
        files["counts.csv"] = drawn_counts(rng, nodes)
        options["counts"] = "counts.csv"
    if options.get("algorithm") == "block":
        files["block.jsonl"] = lines(drawn_block(rng))
        options["block"] = "block.jsonl"
    if kind == "load":
        options.update(collective_rate=rng.choice(("0.001", "0.02")), cycles="200")
    if kind == "pattern":
        load = {"outstanding": rng.choice(("1", "3"))} if rng.random() < 0.3 else {"rate": rng.choice(("0.05", "0.3", "0.8"))}
        options.update(pattern=rng.choice(table.words("pattern")), cycles=rng.choice(("60", "300")), **load)
    if kind == "flows":
        files["flows.csv"] = drawn_flows(rng, nodes)
        options.update(flows="flows.csv", cycles=rng.choice(("60", "300")))
    if kind == "timed":
        files["timed.jsonl"] = lines(drawn_schedule(rng, nodes))
        options["schedule"] = "timed.jsonl"
    if kind == "tasks":
        files["tasks.jsonl"] = lines(drawn_tasks(rng, nodes))
        options["tasks"] = "tasks.jsonl"
    all_keys = [(key, values) for known in VALUES.values() for key, values in known.items()]
    for key, values in rng.sample(all_keys, rng.choice((0, 1, 1, 2, 2, 3, 4))):
        options.setdefault(key, rng.choice(values))
    return DrawnRun(options, files, kind)
