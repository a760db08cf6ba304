"""Counts messages by kind and method with an engine for tables: query.py duckdb|polars|chdb THREADS FILE.

Prints lines of `kind,method,messages`. The columns are declared, so that nothing is guessed from the first lines.
"""

import os
import sys

engine, threads, path = sys.argv[1:]
KIND = """CASE WHEN method IS NOT NULL THEN (CASE WHEN id IS NOT NULL THEN 'request' ELSE 'notification' END)
               WHEN error IS NOT NULL THEN 'error' ELSE 'response' END"""
if engine == "duckdb":
    import duckdb

    duckdb.sql(f"SET threads = {threads}")
    columns = {"id": "JSON", "method": "VARCHAR", "error": "JSON"}
    rows = duckdb.sql(
        f"SELECT {KIND} AS kind, coalesce(method, ''), count(*) FROM read_json('{path}', format = 'newline_delimited', "
        f"columns = {columns}, maximum_object_size = 64000000) GROUP BY ALL").fetchall()
elif engine == "polars":
    os.environ["POLARS_MAX_THREADS"] = threads
    import polars

    schema = {"id": polars.String, "method": polars.String, "error": polars.Struct({"code": polars.Int64})}
    present = polars.col("method").is_not_null()
    kind = (polars.when(present & polars.col("id").is_not_null()).then(polars.lit("request")).when(present)
            .then(polars.lit("notification")).when(polars.col("error").is_not_null()).then(polars.lit("error"))
            .otherwise(polars.lit("response")))
    rows = (polars.scan_ndjson(path, schema=schema).group_by(kind.alias("kind"), polars.col("method").fill_null(""))
            .len().collect(engine="streaming").rows())
else:
    import chdb

    types = "id Nullable(String), method Nullable(String), error Nullable(String)"
    text = str(chdb.query(
        f"SELECT {KIND} AS kind, coalesce(method, '') AS name, count(*) FROM file('{path}', 'JSONEachRow', '{types}') GROUP BY kind, name "
        f"SETTINGS input_format_skip_unknown_fields = 1, input_format_json_read_numbers_as_strings = 1, max_threads = {threads}", "CSV"))
    rows = [line.replace('"', "").split(",") for line in text.splitlines()]
for kind, method, messages in rows:
    print(f"{kind},{method},{messages}")
