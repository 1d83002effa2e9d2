"""Runs scenarios of one client: client.py NAME (SCENARIO BASE_URL MODEL)... Prints a line for each: what the client holds at its end, or why it failed."""

import importlib
import json
import sys

name, *places = sys.argv[1:]
client = importlib.import_module(name)
while places:
    scenario, base_url, model, *places = places
    try:
        told = {"text": str(getattr(client, scenario)(base_url, model))}
    except Exception as error:
        told = {"error": f"{type(error).__name__}: {error}"}
    print("\nRESULT " + json.dumps(told), flush=True)
