#!/usr/bin/env python3
"""Prints, for each trial of a run, how weights and states of connections changed at the NodePorts that its flows dialled.

usage: states.py SAMPLES RUN_FOLDER"""
import collections
import glob
import json
import sys
from datetime import datetime

with open(sys.argv[1], encoding="utf-8") as lines:
    samples = [json.loads(line) for line in lines]


def is_node_port(service):
    return int(service.rsplit(":", 1)[1]) >= 30000


def dialled_in(some):
    """A NodePort is a service at each of the node's addresses: those that had connections."""
    return {(c["protocol"], c["service"]) for sample in some for c in sample["connections"] if is_node_port(c["service"])}


def view(sample, dialled):
    """What is to be told of a sample, as lines; equal lines are no change."""
    told = []
    for service in sample["services"]:
        if (service["protocol"], service["service"]) not in dialled:
            continue
        for server in service["servers"]:
            states = collections.Counter(
                c["state"]
                for c in sample["connections"]
                if (c["protocol"], c["service"], c["server"])
                == (service["protocol"], service["service"], server["server"])
            )
            counts = ", ".join(f"{number} {state}" for state, number in sorted(states.items())) or "no connection"
            told.append(f"{service['protocol']} {server['server']} weight {server['weight']}: {counts}")
        gone = {s["server"] for s in service["servers"]}
        rest = collections.Counter(
            (c["server"], c["state"])
            for c in sample["connections"]
            if (c["protocol"], c["service"]) == (service["protocol"], service["service"]) and c["server"] not in gone
        )
        told += [f"{service['protocol']} {s} no server any more: {n} {state}" for (s, state), n in sorted(rest.items())]
        if not service["servers"]:
            told.append(f"{service['protocol']} no server")
    return tuple(sorted(told))


for path in sorted(glob.glob(f"{sys.argv[2]}/trials/*/*.json")):
    with open(path, encoding="utf-8") as report:
        trial = json.load(report)["trial"]
    started = datetime.fromisoformat(trial["startedAt"].replace("Z", "+00:00")).timestamp()
    # the report's times count from the trigger
    trigger = started - trial["phases"][0]["fromMs"] / 1000
    end = trial["phases"][-1]["toMs"] / 1000
    print(f"== {trial['id']}")
    last = None
    own = [sample for sample in samples if -5 <= sample["unixSeconds"] - trigger <= end]
    dialled = dialled_in(own)
    for sample in own:
        t = sample["unixSeconds"] - trigger
        told = view(sample, dialled)
        if told != last:
            print(f"{t:+7.1f} s (± {sample['errorSeconds']:.1f})", *(told or ("no NodePort",)), sep="\n    ")
            last = told
