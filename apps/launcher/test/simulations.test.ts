import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ProgramError } from "@proj/program";
import { temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { readSimulations } from "../src/run/read-simulations.ts";

async function read(name: string, content: string) {
  await using folder = await temporaryFolder();
  const path = join(folder.path, name);
  await writeFile(path, content);
  return await readSimulations(path);
}

async function problemsOf(name: string, content: string): Promise<string[]> {
  const error = await read(name, content).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ProgramError);
  const [file, ...problems] = String(error).split("\n  ");
  expect(file).toContain(name);
  return problems;
}

const none = { env_name: null, env_params: null, group_id: null };

test("a YAML list, an object with simulations, and JSON Lines are equivalent", async () => {
  const yaml =
    "- { simulation_id: a, env_name: maze, env_params: { seed: 7 }, group_id: g }\n- {}\n";
  const expected = [
    { simulation_id: "a", env_name: "maze", env_params: '{"seed":7}', group_id: "g" },
    { simulation_id: "sim-000002", ...none },
  ];
  expect(await read("s.yaml", yaml)).toEqual(expected);
  expect(await read("s.yml", `simulations:\n${yaml}`)).toEqual(expected);
  const line = '{"simulation_id":"a","env_name":"maze","env_params":{"seed":7},"group_id":"g"}';
  expect(await read("s.jsonl", `\ufeff${line}\r\n\n{}\r\n`)).toEqual(expected);
  expect(await read("s.json", `[${line}, {}]`)).toEqual(expected);
});

test("a simulation without an id is named by its position, so that more can be appended", async () => {
  const before = await read("s.yaml", "- {}\n- { simulation_id: b }\n- {}\n");
  expect(before.map(({ simulation_id }) => simulation_id)).toEqual([
    "sim-000001",
    "b",
    "sim-000003",
  ]);
  expect((await read("s.yaml", "- {}\n- { simulation_id: b }\n- {}\n- {}\n")).slice(0, 3)).toEqual(
    before,
  );
});

test("repeat makes a group of one simulation", async () => {
  const simulations = await read(
    "s.yaml",
    "- { simulation_id: a, repeat: 2 }\n- { group_id: g, repeat: 2 }\n",
  );
  expect(simulations).toEqual([
    { ...none, simulation_id: "a.1", group_id: "a" },
    { ...none, simulation_id: "a.2", group_id: "a" },
    { ...none, simulation_id: "sim-000002.1", group_id: "g" },
    { ...none, simulation_id: "sim-000002.2", group_id: "g" },
  ]);
});

test("everything that is wrong in JSON Lines is reported at once, with its line", async () => {
  const lines = [
    '{"simulation_id":7}',
    '{"env_nam":"maze"}',
    "",
    "[1]",
    "{oops}",
    '{"repeat":0}',
    '{"simulation_id":"x"}',
    '{"simulation_id":"x"}',
    '{"env_params":{"seed":9007199254740993}}',
  ];
  expect(await problemsOf("s.jsonl", lines.join("\n"))).toEqual([
    expect.stringMatching(/^line 5: .*JSON/),
    "line 9: 9007199254740993 is beyond 2^53 and would lose digits: write it as a string",
    "line 1: simulation_id must be a string of 1 to 200 characters, not 7",
    "line 2: unknown key 'env_nam'; did you mean 'env_name'?",
    "line 4: not an object",
    "line 6: repeat must be a whole number from 1 to 100000, not 0",
    "line 8: simulation_id 'x' is also used by line 7",
  ]);
});

test("everything that is wrong in YAML is reported at once, with its place", async () => {
  const yaml = [
    "jobs: 1",
    "simulations:",
    "  - { simulation_id: '', group_id: [g] }",
    "  - { env_params: { seed: 9007199254740993 } }",
    "  - { env_params: { limit: .inf } }",
    "  - { simulation_id: a, repeat: 2 }",
    "  - { simulation_id: a.2 }",
    "  - maze",
  ];
  expect(await problemsOf("s.yaml", yaml.join("\n"))).toEqual([
    "unknown key 'jobs' beside simulations",
    "simulation 2 (line 4): 9007199254740993 is beyond 2^53 and would lose digits: write it as a string",
    "simulation 3 (line 5): Infinity is not a number that JSON can hold",
    'simulation 1 (line 3): simulation_id must be a string of 1 to 200 characters, not ""',
    'simulation 1 (line 3): group_id must be a string of 1 to 200 characters, not ["g"]',
    "simulation 5 (line 7): simulation_id 'a.2' is also used by simulation 4 (line 6)",
    "simulation 6 (line 8): not an object",
  ]);
});

test("invalid YAML and files of another form are reported", async () => {
  expect((await problemsOf("s.yaml", "- { a: 1\n- b"))[0]).toMatch(/line \d/);
  expect(await problemsOf("s.yaml", "just text")).toEqual([
    "neither a list nor {simulations: [...]}",
  ]);
  expect(await problemsOf("s.yaml", "- { env_name: a, env_name: b }")).toEqual([
    expect.stringMatching(/unique.*line 1/),
  ]);
});

test("large numbers that are not integers, and YAML references, are accepted", async () => {
  const yaml =
    "- &base { env_name: maze, env_params: { limit: 1e30 } }\n- { <<: *base, group_id: g }\n";
  expect((await read("s.yaml", yaml)).map(({ env_params }) => env_params)).toEqual([
    '{"limit":1e+30}',
    '{"limit":1e+30}',
  ]);
});

test("an empty file is refused, and the first twenty of many problems are shown", async () => {
  await expect(read("s.yaml", "")).rejects.toThrow("s.yaml holds no simulations");
  await expect(read("s.jsonl", "\n")).rejects.toThrow("s.jsonl holds no simulations");
  const problems = await problemsOf("s.jsonl", "{oops}\n".repeat(30));
  expect(problems).toHaveLength(21);
  expect(problems.at(-1)).toBe("and 10 more");
});
