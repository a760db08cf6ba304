"""Asks DuckDB or chDB how many messages of each method there are: query.py duckdb|chdb NDJSON PARQUET

Prints lines of `method,messages`, the most frequent first, from the Parquet file that the engine has made of the records.
"""

import sys

engine, records, parquet = sys.argv[1:]
columns = {"record": "VARCHAR", "file": "VARCHAR", "n": "BIGINT", "session": "BIGINT", "server": "VARCHAR", "time": "VARCHAR",
           "direction": "VARCHAR", "kind": "VARCHAR", "method": "VARCHAR", "target": "VARCHAR", "primitive": "VARCHAR",
           "phase": "VARCHAR", "status": "VARCHAR", "length": "BIGINT", "latency_ms": "DOUBLE"}
ask = "SELECT method, count(*) AS messages FROM {} WHERE record = 'message' GROUP BY method ORDER BY messages DESC, method"
if engine == "duckdb":
    import duckdb

    duckdb.sql(f"COPY (SELECT * FROM read_json('{records}', format = 'newline_delimited', columns = {columns})) TO '{parquet}'")
    rows = duckdb.sql(ask.format(f"'{parquet}'")).fetchall()
else:
    import chdb

    types = ", ".join(f"{name} Nullable({kind.replace('VARCHAR', 'String').replace('BIGINT', 'Int64').replace('DOUBLE', 'Float64')})"
                      for name, kind in columns.items())
    settings = "SETTINGS input_format_skip_unknown_fields = 1"
    chdb.query(f"INSERT INTO FUNCTION file('{parquet}', 'Parquet') SELECT * FROM file('{records}', 'JSONEachRow', '{types}') {settings}")
    text = str(chdb.query(ask.format(f"file('{parquet}', 'Parquet')"), "CSV"))
    rows = [line.replace('"', "").rsplit(",", 1) for line in text.splitlines()]
for method, messages in rows:
    print(f"{method},{messages}")
