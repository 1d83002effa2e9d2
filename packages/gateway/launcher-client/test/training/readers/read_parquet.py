"""Prints the columns and rows of each Parquet file, as pyarrow and as the datasets of Hugging Face read it."""

import json
import sys

import datasets
import pyarrow.parquet

for file in sys.argv[1:]:
    table = pyarrow.parquet.read_table(file)
    rows = table.to_pylist()
    assert datasets.Dataset.from_parquet(file, cache_dir=f"{file}.cache").to_list() == rows
    print(json.dumps([table.column_names, rows]))
