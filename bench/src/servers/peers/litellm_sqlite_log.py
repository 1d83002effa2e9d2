"""A callback of LiteLLM that keeps whole requests and answers in SQLite, in batches, on a thread of its own."""

import json
import os
import queue
import sqlite3
import threading

from litellm.integrations.custom_logger import CustomLogger

MOST_WAITING = 100_000
BATCH_ROWS = 200


class SqliteLog(CustomLogger):
    def __init__(self):
        super().__init__()
        self.rows = queue.Queue(MOST_WAITING)
        threading.Thread(target=self.write, daemon=True).start()

    async def async_log_success_event(self, kwargs, response_obj, start_time, end_time):
        try:
            self.rows.put_nowait(
                (
                    kwargs.get("litellm_call_id"),
                    kwargs.get("model"),
                    start_time.isoformat(),
                    kwargs.get("messages"),
                    response_obj,
                )
            )
        except queue.Full:
            pass

    def write(self):
        database = sqlite3.connect(os.environ["BENCH_LOG_FILE"])
        database.execute("pragma journal_mode = wal")
        database.execute("pragma synchronous = full")
        database.execute(
            "create table if not exists requests (id text, model text, started_at text, messages text, response text)"
        )
        while True:
            batch = [self.rows.get()]
            while len(batch) < BATCH_ROWS:
                try:
                    batch.append(self.rows.get_nowait())
                except queue.Empty:
                    break
            with database:
                database.executemany(
                    "insert into requests values (?, ?, ?, ?, ?)",
                    [
                        (call, model, at, json.dumps(messages), response.model_dump_json())
                        for call, model, at, messages, response in batch
                    ],
                )


handler = SqliteLog()
