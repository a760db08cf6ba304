"""Counts messages by kind and method, line by line: count.py json|orjson|msgspec FILE. Prints lines of `kind,method,messages`."""

import sys
from collections import Counter

reader, path = sys.argv[1:]
if reader == "json":
    from json import loads as decode
elif reader == "orjson":
    from orjson import loads as decode
else:
    import msgspec

    # Only the envelope is decoded; bodies are checked and passed over.
    class Envelope(msgspec.Struct):
        method: str | None = None
        id: msgspec.Raw = b""
        params: msgspec.Raw = b""
        result: msgspec.Raw = b""
        error: msgspec.Raw = b""

    typed = msgspec.json.Decoder(Envelope).decode

counts = Counter()
with open(path, "rb") as lines:
    if reader == "msgspec":
        for line in lines:
            message = typed(line)
            if message.method is not None:
                counts["request" if message.id else "notification", message.method] += 1
            else:
                counts["error" if message.error else "response", ""] += 1
    else:
        for line in lines:
            message = decode(line)
            if (method := message.get("method")) is not None:
                counts["request" if "id" in message else "notification", method] += 1
            else:
                counts["error" if "error" in message else "response", ""] += 1
for (kind, method), messages in counts.items():
    print(f"{kind},{method},{messages}")
