import { runProgram } from "@proj/program";
import { bench } from "./command-line/bench.ts";

// A run's servers and files are removed at exit, which a signal alone would skip.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

process.exit(await runProgram(bench, process.argv.slice(2), { calledAs: "npm run bench --" }));
