import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sessionSteps } from "@proj/session-store/answers";
import { isLeftOutWithoutPython, pythonWith, temporaryFolder } from "@proj/test-kit";
import { describe, expect, test } from "vitest";
import { examineJob } from "../../src/index.ts";
import { sharedDatabase } from "../trajectories/stored-job.ts";
import { exported } from "./rewarded-job.ts";
import { rolloutShapes, rowOf } from "./rollout-shapes.ts";

// The rules of sequences, written once more in Python and by brute force, agree with what is exported.

const reconstruct = fileURLToPath(new URL("readers/reconstruct.py", import.meta.url));
const python = await pythonWith([]);

interface Reconstructed {
  readonly sequences: readonly {
    readonly ids: readonly number[];
    readonly mask: readonly number[];
    readonly logprobs: readonly number[] | null;
  }[];
  readonly unknown: number;
  /** By step: sampled, delivered, and why not all of it. */
  readonly fates: Readonly<Record<string, readonly [number, number, string | null]>>;
}

describe.skipIf(isLeftOutWithoutPython("sequences made by brute force", python))(
  "sequences",
  () => {
    const database = sharedDatabase();

    test("of every shape are those that brute force makes of the rows, and doctor counts them", async () => {
      const job = database.newJob();
      const shapes = new Map<string, string>();
      for (const [name, calls] of Object.entries(rolloutShapes)) {
        const session_id = await job.claim(name, "shapes");
        shapes.set(session_id, name);
        for (const call of calls) await job.step(session_id, rowOf(call));
        await job.finish(session_id, 1);
      }
      expect(shapes.size).toBeGreaterThanOrEqual(26);
      await using folder = await temporaryFolder();
      const file = join(folder.path, "rows.jsonl");
      let rows = "";
      for (const session_id of shapes.keys())
        for await (const row of sessionSteps(job.store, session_id))
          rows += `${JSON.stringify(row)}\n`;
      await writeFile(file, rows);
      const printed = (await python?.runFile(reconstruct, file)) ?? "null";
      const made: Record<string, Reconstructed> = JSON.parse(printed);

      const lines = await exported(job, "sequences");
      for (const [session_id, name] of shapes) {
        const own = lines.filter((line) => line.session_id === session_id);
        const { sequences } = made[session_id] as Reconstructed;
        const shown = own.map(({ input_ids: ids, loss_mask: mask, logprobs }) => ({
          ids,
          mask,
          logprobs,
        }));
        expect([name, shown]).toEqual([name, sequences]);
      }

      const all = Object.values(made);
      const fates = all.flatMap((session) => Object.values(session.fates));
      const sum = (at: 0 | 1): number => fates.reduce((total, fate) => total + fate[at], 0);
      const losses: Record<string, number> = {};
      for (const [, , reason] of fates)
        if (reason !== null) losses[reason] = (losses[reason] ?? 0) + 1;
      const found = await examineJob(job.store, job.job_id);
      expect(found).toMatchObject({
        rollouts: shapes.size,
        steps: fates.length,
        sequences: all.reduce((total, { sequences }) => total + sequences.length, 0),
        captured: sum(0),
        delivered: sum(1),
        unknown_steps: all.reduce((total, { unknown }) => total + unknown, 0),
      });
      const steps = Object.entries(found.losses_by_reason).map(([reason, loss]) => [
        reason,
        loss?.steps,
      ]);
      expect(Object.fromEntries(steps)).toEqual(losses);
      const begun = Object.values(found.breaks_by_reason).reduce(
        (total, number) => total + number,
        0,
      );
      expect(begun).toBe(found.sequences);
    });
  },
);
