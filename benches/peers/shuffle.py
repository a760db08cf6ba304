"""Repeats recorded sessions with the members of every object in another order: shuffle.py BYTES SEED FILE… writes JSON lines."""

import json
import random
import sys

wanted, seed, paths = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
order = random.Random(seed)


def shuffled(value):
    if isinstance(value, dict):
        names = list(value)
        order.shuffle(names)
        return {name: shuffled(value[name]) for name in names}
    return [shuffled(part) for part in value] if isinstance(value, list) else value


sessions = []
for path in paths:
    with open(path, "rb") as lines:
        found = []
        for line in lines:
            try:
                message = json.loads(line)
            except ValueError:
                continue
            # What all readers agree on: messages, one a line, without batches.
            if isinstance(message, dict) and "jsonrpc" in message:
                found.append(message)
        sessions.append(found)
written = 0
while written < wanted:
    for session in sessions:
        lines = "".join(json.dumps(shuffled(message), ensure_ascii=False, separators=(",", ":")) + "\n" for message in session)
        written += len(lines.encode())
        sys.stdout.write(lines)
        if written >= wanted:
            break
