import { createWriteStream } from "node:fs";
import { exportTrajectories } from "@proj/launcher-client";
import type { ExportOptions } from "../command-line/command.ts";
import { withStorage } from "../storage.ts";
import { writeText } from "../text/write-text.ts";

/** Named so because `export` is a word of the language. @returns the exit code */
export function exportSteps({ db_path, job_id, output }: ExportOptions): Promise<number> {
  return withStorage(db_path, async (store) => {
    if (job_id !== null && (await store.readJob(job_id)) === null) {
      throw new Error(`there is no job '${job_id}'; launcher status lists them`);
    }
    const lines = exportTrajectories(store, { job_id: job_id ?? undefined });
    await writeText(output === null ? process.stdout : createWriteStream(output), lines);
    return 0;
  });
}
