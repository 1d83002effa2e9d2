import { run } from "./command-line/run.ts";

// A run's servers and files are removed at exit, which a signal alone would skip.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

process.exit(await run(process.argv.slice(2)));
