import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { progress } from "./terminal/progress.ts";

/** Also the folder of databases under measurement: it is on the same disk as the repository. */
export const RESULTS_FOLDER: string = fileURLToPath(new URL("../results/", import.meta.url));

/** Writes the measurements to `bench/results/`. */
export function writeResults(measurement: string, results: object): void {
  const stamp = new Date().toISOString().replaceAll(":", "-").slice(0, 19);
  const file = join(RESULTS_FOLDER, `${measurement}-${stamp}.json`);
  writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`);
  progress(`written: ${file}`);
}
