#!/usr/bin/env python3
"""Samples IP_VS in the virtual machine: weights, connection counts and connections, as its kernel tells them.

usage: sample.py start SOCKET [INTERVAL]    begin, every INTERVAL seconds (1 unless told)
       sample.py stop SOCKET FILE           end, and write what was seen: one JSON object a line

A time is this machine's clock. It is known to within `errorSeconds`: the machine's own clock is related to this one by an
exchange at the end of sampling."""
import base64
import gzip
import json
import subprocess
import sys
import time
from os.path import dirname, join

samples = "/run/ipvs-samples"
loop = (
    "while :; do echo \"at $(date +%s.%N)\"; cat /proc/net/ip_vs; echo conn; cat /proc/net/ip_vs_conn; sleep {}; done"
)


def guest(socket, line, limit=60):
    command = [sys.executable, join(dirname(__file__), "guest-run"), socket, line, str(limit)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def address(hex_address, hex_port):
    octets = [int(hex_address[i : i + 2], 16) for i in range(0, 8, 2)]
    return "%d.%d.%d.%d:%d" % (*octets, int(hex_port, 16))


def service_lines(lines):
    services = []
    for words in lines:
        if words[0] in ("TCP", "UDP"):
            services.append({"protocol": words[0].lower(), "service": address(*words[1].split(":")), "servers": []})
        elif words[0] == "->" and ":" in words[1] and words[1][0] in "0123456789ABCDEF" and services:
            server, _, weight, active, inactive = words[1:6]
            services[-1]["servers"].append(
                {
                    "server": address(*server.split(":")),
                    "weight": int(weight),
                    "active": int(active),
                    "inactive": int(inactive),
                }
            )
    return services


def connection_lines(lines):
    return [
        {
            "protocol": words[0].lower(),
            "client": address(*words[1:3]),
            "service": address(*words[3:5]),
            "server": address(*words[5:7]),
            "state": words[7],
            "expiresSeconds": int(words[8]),
        }
        for words in lines
        if words[0] in ("TCP", "UDP")
    ]


def parse(text, offset, error):
    for block in text.split("at ")[1:]:
        head, _, rest = block.partition("\n")
        table, found, connections = rest.partition("conn\n")
        if not found:
            continue  # the loop was ended in the middle of it
        split = lambda part: [line.split() for line in part.splitlines() if line.split()]
        yield {
            "unixSeconds": round(float(head) + offset, 3),
            "errorSeconds": round(error, 3),
            "services": service_lines(split(table)),
            "connections": connection_lines(split(connections)),
        }


def start(socket, interval="1"):
    script = loop.format(float(interval)).replace("$", "\\$").replace('"', '\\"')
    guest(socket, f'setsid sh -c "{script}" > {samples} 2> /dev/null & echo $! > {samples}.pid')


def stop(socket, path):
    guest(socket, f"kill -- -$(cat {samples}.pid) || kill $(cat {samples}.pid)")
    before = time.time()
    inside = float(guest(socket, "date +%s.%N"))
    after = time.time()
    # it read its clock at some moment between the two
    offset, error = (before + after) / 2 - inside, (after - before) / 2
    with open(path, "w", encoding="utf-8") as out:
        # the emulated serial line takes minutes for what is not packed
        packed = base64.b64decode(guest(socket, f"gzip -c {samples} | base64", 600))
        for sample in parse(gzip.decompress(packed).decode(), offset, error):
            out.write(json.dumps(sample) + "\n")


{"start": start, "stop": stop}[sys.argv[1]](*sys.argv[2:])
