#!/usr/bin/env python3
"""Prints, for each trial of a run, how weight, connection counts and states changed at the NodePorts.

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


def view(sample):
    """What is to be told of a sample, as lines; equal lines are no change."""
    told = []
    for service in sample["services"]:
        if not is_node_port(service["service"]):
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
    end = trial["phases"][-1]["toMs"] / 1000 + 15
    print(f"== {trial['id']}")
    last = None
    for sample in samples:
        t = sample["unixSeconds"] - trigger
        if not -5 <= t <= end:
            continue
        told = view(sample)
        if told != last:
            print(f"{t:+7.1f} s (± {sample['errorSeconds']:.1f})", *(told or ("no NodePort",)), sep="\n    ")
            last = told
