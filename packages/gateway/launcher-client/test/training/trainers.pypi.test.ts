import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  isLeftOutWithoutVllm,
  makeTinyModel,
  pythonWith,
  temporaryFolder,
  vllmHome,
} from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportFormats, exportRollouts } from "../../src/index.ts";
import { type PlayedJob, playJob } from "./played-job.ts";
import { trainedAgents } from "./trained-agents.ts";

// TRL's own trainers take a real step on a job's exports, on the processor.

const isLeftOut = isLeftOutWithoutVllm("TRL's trainers");
const readers = fileURLToPath(new URL("readers", import.meta.url));

interface Trained {
  readonly templates: Readonly<Record<string, readonly string[]>>;
  readonly sft: {
    readonly texts: readonly string[];
    readonly loss: number;
    readonly changed: number;
  };
  readonly grpo: Readonly<
    Record<"groups" | "whole" | "asked" | "changed" | "reward" | "grad_norm", number>
  >;
}

describe.skipIf(isLeftOut)("TRL's trainers", () => {
  let job: PlayedJob;
  let trained: Trained;
  let said: Record<string, unknown>[];
  beforeAll(async () => {
    job = await playJob(trainedAgents);
    const requirements = await readFile(join(readers, "requirements-trainers.txt"), "utf8");
    const packages = requirements.split("\n").filter((line) => /^\w/.test(line));
    const python = await pythonWith(packages, { isWhole: true, on: vllmHome, timeoutMs: 300_000 });
    if (python === null) throw new Error("PyPI is needed");
    await using folder = await temporaryFolder();
    await makeTinyModel(folder.path);
    const files: string[] = [];
    for (const name of ["messages", "trl"]) {
      const file = join(folder.path, `${name}.jsonl`);
      const text = await exported(name);
      await writeFile(file, text);
      if (name === "messages")
        said = text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line));
      files.push(file);
    }
    trained = JSON.parse(
      (await python.runFile(join(readers, "train_trl.py"), folder.path, ...files))
        .trimEnd()
        .split("\n")
        .at(-1) ?? "null",
    );
  }, 400_000);
  afterAll(() => job?.[Symbol.asyncDispose]());

  async function exported(name: string): Promise<string> {
    const format = exportFormats.find((each) => each.name === name);
    if (format === undefined) throw new Error(`there is no format ${name}`);
    let text = "";
    for await (const line of exportRollouts(job.store, { job_id: job.job_id, format }))
      text += line;
    return text;
  }

  test("the job has breaks, forks, a failure, and a group that is not whole", () => {
    expect(job).toMatchObject({ finished: 11, failed: 1 });
  });

  test("GRPOTrainer takes one row for each prompt, and a step", () => {
    expect(trained.grpo).toMatchObject({ groups: 3, whole: 2, asked: 8, reward: 0.5 });
    expect(trained.grpo.grad_norm).toBeGreaterThan(0);
    expect(trained.grpo.changed).toBeGreaterThan(0);
  });

  test("SFTTrainer renders every conversation as it was said, and takes a step", () => {
    const { texts, loss, changed } = trained.sft;
    expect(texts).toHaveLength(said.length);
    for (const [at, { messages }] of said.entries())
      for (const { content, tool_calls = [] } of messages as Told[]) {
        expect(texts[at]).toContain(content);
        for (const { function: called } of tool_calls) expect(texts[at]).toContain(called.name);
      }
    expect(loss).toBeGreaterThan(0);
    expect(changed).toBeGreaterThan(0);
  });

  test("every chat template with tools that TRL brings renders the calls as the model wrote them", () => {
    expect(Object.keys(trained.templates).length).toBeGreaterThanOrEqual(26);
    for (const [template, faults] of Object.entries(trained.templates))
      expect([template, faults]).toEqual([template, []]);
  });
});

interface Told {
  readonly content: string;
  readonly tool_calls?: readonly { readonly function: { readonly name: string } }[];
}
