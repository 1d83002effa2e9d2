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

// TRL's own trainers take a real step on a job's exports, on the processor, and LLaMA-Factory and axolotl read them.

const isLeftOut = isLeftOutWithoutVllm("TRL's trainers, LLaMA-Factory and axolotl");
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

describe.skipIf(isLeftOut)("trainers", () => {
  let job: PlayedJob;
  let trained: Trained;
  let read: Readonly<Record<"llamafactory" | "axolotl", readonly (readonly [string, string])[]>>;
  let said: { messages: Told[] }[];
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
    const run = async (reader: string, ...given: string[]) => {
      const printed = await python.runFile(join(readers, reader), folder.path, ...given);
      return JSON.parse(printed.trimEnd().split("\n").at(-1) ?? "null");
    };
    trained = await run("train_trl.py", ...files);
    read = await run("read_conversations.py", ...files.slice(0, 1));
  }, 600_000);
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

  test.for(["llamafactory", "axolotl"] as const)(
    "%s takes every conversation and its calls, and trains on what the model said",
    (trainer) => {
      expect(read[trainer]).toHaveLength(said.length);
      for (const [at, { messages }] of said.entries()) {
        const [text, learnt] = read[trainer][at] ?? ["", ""];
        for (const { content } of messages) expect(text).toContain(content);
        const answers = messages.filter(
          // LLaMA-Factory has no mark for an answer that is not trained on.
          ({ role, train }) =>
            role === "assistant" && (trainer === "llamafactory" || train !== false),
        );
        expect(learnt.split("<|im_end|>")).toHaveLength(answers.length + 1);
        for (const { content, reasoning_content, tool_calls = [] } of answers) {
          expect(learnt).toContain(content);
          for (const { function: called } of tool_calls)
            expect(learnt).toContain(`"arguments": {"where": "${called.arguments.where}"}`);
          // Its converter of this form leaves reasoning out.
          if (trainer === "axolotl") expect(learnt).toContain(reasoning_content ?? "");
        }
      }
      const marked = said
        .flatMap(({ messages }) => messages)
        .filter(({ train }) => train === false);
      expect(marked).not.toEqual([]);
      expect(JSON.stringify(said)).toContain("reasoning_content");
    },
  );

  test("every chat template with tools that TRL brings renders the calls as the model wrote them", () => {
    expect(Object.keys(trained.templates).length).toBeGreaterThanOrEqual(26);
    for (const [template, faults] of Object.entries(trained.templates))
      expect([template, faults]).toEqual([template, []]);
  });
});

interface Told {
  readonly role: string;
  readonly content: string;
  readonly reasoning_content?: string;
  readonly train?: boolean;
  readonly tool_calls?: readonly { readonly function: CalledFunction }[];
}

interface CalledFunction {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
}
