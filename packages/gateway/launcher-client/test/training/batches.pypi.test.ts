import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isLeftOutWithoutVllm, pythonWith, temporaryFolder, vllmHome } from "@proj/test-kit";
import { describe, expect, test } from "vitest";
import { exportFormats, exportRollouts, exportTrajectories } from "../../src/index.ts";
import { playJob } from "./played-job.ts";
import { trainedAgents } from "./trained-agents.ts";

// The own code of SkyRL, verl and tinker-cookbook makes batches of a job's exports, and a policy takes a real step on them.

const isLeftOut = isLeftOutWithoutVllm("the batches of SkyRL, verl and tinker-cookbook");
const readers = fileURLToPath(new URL("readers", import.meta.url));

interface Stepped {
  readonly sequences: number;
  readonly trained: number;
  readonly logprobs: number;
  readonly rewards: number;
  readonly changed: number;
}

type Made = Readonly<Record<"skyrl" | "verl" | "tinker", Stepped>> & {
  readonly datums: readonly unknown[];
  readonly cookbook: readonly unknown[];
};

describe.skipIf(isLeftOut)("SkyRL, verl and tinker-cookbook", () => {
  test("make batches of breaks, forks and several groups that train every sampled token once", async () => {
    await using job = await playJob(trainedAgents);
    expect(job).toMatchObject({ finished: 11, failed: 1 });
    const requirements = await readFile(join(readers, "requirements-batches.txt"), "utf8");
    const packages = requirements.split("\n").filter((line) => /^\w/.test(line));
    const python = await pythonWith(packages, { isWhole: true, on: vllmHome, timeoutMs: 300_000 });
    if (python === null) throw new Error("PyPI is needed");
    await using folder = await temporaryFolder();
    const texts: Record<string, string> = {};
    for (const name of ["sequences", "skyrl", "verl", "tinker"]) {
      const format = exportFormats.find((each) => each.name === name);
      if (format === undefined) throw new Error(`there is no format ${name}`);
      let text = "";
      for await (const line of exportRollouts(job.store, { job_id: job.job_id, format }))
        text += line;
      texts[name] = text;
      await writeFile(join(folder.path, name), text);
    }
    let steps = "";
    for await (const text of exportTrajectories(job.store, { job_id: job.job_id })) steps += text;
    await writeFile(join(folder.path, "steps"), steps);
    const files = ["skyrl", "verl", "tinker", "steps"].map((name) => join(folder.path, name));
    const printed = await python.runFile(join(readers, "train_batches.py"), ...files);
    const made: Made = JSON.parse(printed.trimEnd().split("\n").at(-1) ?? "{}");

    const lines = (texts.sequences ?? "")
      .trimEnd()
      .split("\n")
      .map((line): Exported => JSON.parse(line));
    const sum = (numbers: readonly number[]): number =>
      numbers.reduce((all, each) => all + each, 0);
    const masked = lines.flatMap(({ loss_mask, logprobs }) =>
      logprobs.map((logprob, at) => logprob * (loss_mask[at] ?? 0)),
    );
    for (const trainer of ["skyrl", "verl", "tinker"] as const) {
      const { logprobs, changed, ...counts } = made[trainer];
      expect([trainer, counts]).toEqual([
        trainer,
        {
          sequences: lines.length,
          trained: sum(lines.flatMap(({ loss_mask }) => loss_mask)),
          rewards: sum(lines.map(({ reward }) => reward)),
        },
      ]);
      expect(logprobs).toBeCloseTo(sum(masked), 2);
      expect(changed).toBeGreaterThan(0);
    }
    // Of the same steps tinker-cookbook makes the same datums itself.
    expect(made.cookbook).toHaveLength(lines.length);
    expect(made.datums).toEqual(made.cookbook);
    // Breaks and forks make more sequences than rollouts.
    expect(lines.length).toBeGreaterThan(11);
  }, 600_000);
});

interface Exported {
  readonly loss_mask: readonly number[];
  readonly logprobs: readonly number[];
  readonly reward: number;
}
