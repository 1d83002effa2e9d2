import { run } from "./command-line.ts";

// Servers and files of a run are removed at exit, which a signal alone would skip.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

process.exit(await run(process.argv.slice(2)));
