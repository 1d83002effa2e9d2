import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isLeftOutWithoutPython, pythonWith, temporaryFolder } from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportFormats, exportParquet, exportRollouts } from "../../src/index.ts";
import { type PlayedJob, playJob } from "./played-job.ts";

// Each format is read by the code of the programs that it is made for, as PyPI has them: of trainers that
// need torch, by their definitions of what they read.

const readers = fileURLToPath(new URL("readers", import.meta.url));
const requirements = await readFile(join(readers, "requirements.txt"), "utf8");
const packages = requirements.split("\n").filter((line) => /^\w/.test(line));
const python = await pythonWith(packages, { isWhole: true });

function formatOf(name: string) {
  const format = exportFormats.find((each) => each.name === name);
  if (format === undefined) throw new Error(`there is no format ${name}`);
  return format;
}

describe.skipIf(isLeftOutWithoutPython("readers of training data", python))("readers", () => {
  let job: PlayedJob;
  beforeAll(async () => {
    job = await playJob();
    expect(job).toMatchObject({ finished: 4, failed: 0 });
  });
  afterAll(() => job?.[Symbol.asyncDispose]());

  async function exported(name: string): Promise<string> {
    let text = "";
    const options = { job_id: job.job_id, format: formatOf(name) };
    for await (const line of exportRollouts(job.store, options)) text += line;
    return text;
  }

  /** What a reader prints of an export: a JSON text a line. */
  // biome-ignore lint/suspicious/noExplicitAny: what each reader prints is its own
  async function read(reader: string, name: string, ...args: string[]): Promise<any[]> {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "rollouts.jsonl");
    await writeFile(file, await exported(name));
    return linesOf((await python?.runFile(join(readers, reader), file, ...args)) ?? "");
  }

  /** What is trained on, in our own names. */
  async function trained(): Promise<{ logprobs: number[] }[]> {
    const lines = linesOf(await exported("sequences"));
    return lines.map(({ input_ids, loss_mask, logprobs, reward }) => ({
      tokens: input_ids,
      mask: loss_mask,
      logprobs,
      reward,
    }));
  }

  test.for(["verl", "skyrl"])("%s: takes every token as it was sampled", async (name) => {
    const sequences = await trained();
    expect(sequences).toHaveLength(3);
    expect(await read(`read_${name}.py`, name)).toMatchObject(sequences);
  });

  test("trl: takes each rollout's best sequence as it was sampled", async () => {
    const sequences = await trained();
    expect(await read("read_trl.py", "trl")).toMatchObject(sequences.slice(0, 2));
  });

  test("tinker: takes every token as it was sampled, with logprobs of single precision", async () => {
    const sequences = (await trained()).map((each) => ({
      ...each,
      logprobs: each.logprobs.map(Math.fround),
    }));
    expect(await read("read_tinker.py", "tinker")).toEqual(sequences);
  });

  test("verl: the environment's turns count as well", async () => {
    const lines = await read("read_verl.py", "verl");
    expect(lines.map(({ turns }) => turns)).toEqual([8, 8, 2]);
  });

  test("skyrl: sequences of one rollout are steps of one trajectory, and siblings are a group", async () => {
    const lines = await read("read_skyrl.py", "skyrl");
    expect(lines.map(({ trajectory, last }) => [trajectory, last])).toEqual([
      [`${job.job_id}/maze_0`, true],
      [`${job.job_id}/maze_1`, false],
      [`${job.job_id}/maze_1`, true],
    ]);
  });

  test("atif: its models take every rollout, its other conversations, and the tokens of each step", async () => {
    const lines = await read("read_atif.py", "atif");
    const agents = Array(4).fill("agent");
    const [looked, forgot, responded, messaged] = lines;
    expect(lines).toHaveLength(4);
    expect(looked).toMatchObject({ steps: ["system", "user", ...agents], tools: ["look"] });
    expect(looked.calls).toEqual([0, 0, 1, 1, 1, 0]);
    expect(looked.subagents).toEqual([]);
    const [sequence] = linesOf(await exported("sequences"));
    const sampled = sequence.input_ids.filter((_: number, at: number) => sequence.loss_mask[at]);
    expect(looked.completions.flat()).toEqual(sampled);
    expect(looked.logprobs.flat()).toHaveLength(sampled.length);
    expect([forgot.steps, ...forgot.subagents].map(({ length }) => length).sort()).toEqual([3, 6]);
    expect(responded).toMatchObject({ tools: ["look"], calls: [0, 0, 1, 1, 0] });
    expect(messaged).toMatchObject({ tools: ["look"], calls: [0, 0, 1, 0, 0] });
  });

  const conversations = [
    ["system", "user", ..."assistant tool assistant tool assistant tool assistant".split(" ")],
    ["system", "user", ..."assistant tool assistant tool assistant tool assistant".split(" ")],
    ["system", "user", "assistant"],
    ["system", "user", ..."assistant tool assistant tool assistant".split(" ")],
    ["system", "user", ..."assistant tool user assistant".split(" ")],
  ];

  test("openai-finetuning: OpenAI's types and rules take all messages and tools of each API", async () => {
    const lines = await read("read_openai.py", "openai-finetuning");
    expect(lines.map(({ roles }) => roles)).toEqual(conversations);
    expect(lines.map(({ tools }) => tools)).toEqual([["look"], ["look"], [], ["look"], ["look"]]);
  });

  test("sharegpt: LLaMA-Factory takes every conversation, its calls and its tools", async () => {
    const lines = await read("read_llamafactory.py", "sharegpt", "sharegpt");
    const roles = lines.map(({ turns }) => turns.map(([role]: [string]) => role));
    const round = ["function", "observation"];
    const looked = ["user", ...round, ...round, ...round, "assistant"];
    expect(roles).toEqual([
      looked,
      looked,
      ["user", "assistant"],
      ["user", ...round, ...round, "assistant"],
      ["user", ...round, "assistant"],
    ]);
    expect(lines[4].turns[2][1]).toBe("a door\n\nGo on.");
    expect(lines.map(({ system }) => system)).toEqual(Array(5).fill("be brief"));
    expect(lines.map(({ calls }) => calls.length)).toEqual([3, 3, 0, 2, 1]);
    expect(lines.map(({ tools }) => tools.join("").includes("look"))).toEqual([
      true,
      true,
      false,
      true,
      true,
    ]);
  });

  test("pyarrow and datasets read the Parquet file of every format", async () => {
    await using folder = await temporaryFolder();
    const { job_id, store } = job;
    const files: string[] = [];
    for (const format of exportFormats) {
      const file = join(folder.path, `${format.name}.parquet`);
      await exportParquet(store, file, { job_id, format });
      files.push(file);
    }
    const printed = (await python?.runFile(join(readers, "read_parquet.py"), ...files)) ?? "";
    const tables = linesOf(printed);
    expect(tables).toHaveLength(exportFormats.length);
    for (const [at, { name, columns }] of exportFormats.entries()) {
      const [names, rows] = tables[at];
      expect(names).toEqual(columns);
      const cells = linesOf(await exported(name)).map((line) =>
        Object.fromEntries(columns.map((column) => [column, line[column] ?? null])),
      );
      expect(rows.map(parsed)).toEqual(cells.map(parsed));
    }
  });
});

// biome-ignore lint/suspicious/noExplicitAny: lines of any format
const linesOf = (text: string): any[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** What is nested is JSON text in the file. */
function parsed(row: Record<string, unknown>): Record<string, unknown> {
  const decoded = (cell: unknown): unknown => {
    if (typeof cell !== "string" || !/^[[{\d]/.test(cell)) return cell;
    try {
      return JSON.parse(cell);
    } catch {
      return cell;
    }
  };
  return Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, decoded(cell)]));
}
