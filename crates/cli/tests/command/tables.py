"""Reads exported tables with one engine, and prints sums of them as JSON: tables.py ENGINE PARQUET ARROW QUERIES"""

import json
import os
import sys
import tempfile

engine, parquet, arrow, queries = sys.argv[1:]
sums = {}


def note(table, rows, ns):
    sums[table] = [int(rows), int(ns or 0)]


def duckdb_sums():
    import duckdb

    for name, column in COLUMNS.items():
        source = f"read_parquet('{parquet}/{name}/*/*.parquet', hive_partitioning = true)"
        found = duckdb.sql(f"SELECT count(*), sum({column}), count(process) FROM {source}").fetchall()
        rows, ns, processes = found[0]
        assert rows == processes
        note(name, rows, ns)
    os.chdir(os.path.dirname(parquet))
    with open(queries, encoding="utf-8") as text:
        found = [query.split("```")[0] for query in text.read().split("```sql\n")[1:]]
    assert len(found) == 3
    for query in found:
        assert duckdb.sql(query).fetchall(), query


def polars_sums():
    import polars

    for name, column in COLUMNS.items():
        for table in (
            polars.scan_parquet(f"{parquet}/{name}", hive_partitioning=True),
            polars.scan_ipc(f"{arrow}/{name}/*/*.arrow", hive_partitioning=True),
        ):
            frame = table.collect()
            assert frame["process"].null_count() == 0
            note(name, frame.height, frame[column].sum())


def pandas_sums():
    import pandas
    import pyarrow.dataset

    for name, column in COLUMNS.items():
        frame = pandas.read_parquet(f"{parquet}/{name}")
        mapped = pyarrow.dataset.dataset(f"{arrow}/{name}", format="arrow", partitioning="hive").to_table()
        assert mapped.num_rows == len(frame) == frame["process"].count()
        assert mapped.to_pandas()[column].sum() == frame[column].sum()
        note(name, len(frame), frame[column].sum())


def spark_sums():
    from pyspark.sql import SparkSession, functions

    session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = session.config("spark.sql.shuffle.partitions", "1")
    with tempfile.TemporaryDirectory() as scratch:
        spark = session.config("spark.local.dir", scratch).getOrCreate()
        for name, column in COLUMNS.items():
            frame = spark.read.parquet(f"{parquet}/{name}")
            row = frame.select(functions.count("process"), functions.sum(column)).first()
            note(name, row[0], row[1])
        spark.stop()


# A column of numbers of each table.
COLUMNS = {
    "processes": "end_ns",
    "threads": "tid",
    "intervals": "self_ns",
    "waits": "waited_ns",
    "tasks": "work_ns",
    "dependences": "sink",
    "samples": "ns",
}

{"duckdb": duckdb_sums, "polars": polars_sums, "pandas": pandas_sums, "spark": spark_sums}[engine]()
print(json.dumps(sums))
