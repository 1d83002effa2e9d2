#!/usr/bin/env node
import { run } from "./run.ts";

const stop = new AbortController();
/** The first signal ends in order; a second one ends the process at once. */
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort(new Error(`ended by ${signal}`));
  });
}
process.exitCode = await run(process.argv.slice(2), stop.signal);
