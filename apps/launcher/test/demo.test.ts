import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { startProcess, temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { launch } from "./launcher.ts";

const demo = fileURLToPath(new URL("../examples/demo/main.ts", import.meta.url));

test("the demo runs a rollout from end to end, and prints commands that show more", async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await using program = startProcess([demo], { cwd, env: { FORCE_COLOR: undefined } });
  expect(await program.exit()).toEqual({ code: 0, signal: null });
  const { stdout } = program;
  expect(program.stderr).toBe("");
  expect(stdout).toContain("5 simulations: 5 finished, 0 failed");
  expect(stdout).toContain("mean reward 0.8");
  const rows = [...stdout.matchAll(/^(\S+) +finished +4 +\d{3} +([01]) {2}\S+$/gm)];
  expect(rows.map(([, simulation_id, reward]) => [simulation_id, reward])).toEqual([
    ["capital", "1"],
    ["river", "1"],
    ["sum.1", "1"],
    ["sum.2", "1"],
    ["unknown", "0"],
  ]);

  const commands = [...stdout.matchAll(/^ {2}npm run launcher -- (.*)$/gm)];
  expect(commands).toHaveLength(5);
  // The first one serves until a signal.
  expect(commands[0]?.[1]).toMatch(/^view job-/);
  const runs = commands.slice(1).map(([, command = ""]) => launch(command.split(" "), { cwd }));
  const ended = await Promise.all(runs);
  for (const { code, stderr } of ended) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  }
  // The output as the README shows it.
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  expect(readme).toContain(ended.at(-1)?.stdout);
  const [, doctor = ""] = commands.at(-1) ?? [];
  const where = doctor.split(" ").slice(1);
  const exported = await launch(["export", "--format", "sequences", ...where], { cwd });
  const sequences = exported.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(sequences).toHaveLength(5);
  const capital = sequences.find(({ simulation_id }) => simulation_id === "capital");
  const [, shown = ""] = /^```json\n(\{"input_ids"[\s\S]*?)```$/m.exec(readme) ?? [];
  expect(JSON.parse(shown)).toEqual(abridged(capital));
  const lines = (await readFile(`${cwd}/data/demo.jsonl`, "utf8")).trimEnd().split("\n");
  expect(lines).toHaveLength(20);
});

interface Sequence {
  readonly input_ids: readonly number[];
  readonly loss_mask: readonly number[];
  readonly spans: readonly object[];
  readonly split: { readonly reason: string; readonly step: string };
}

/** A sequence as the README cuts it short. */
const abridged = ({ input_ids, loss_mask, spans, split: { reason, step } }: Sequence) => ({
  input_ids: [...input_ids.slice(0, 2), `… ${input_ids.length} in all`],
  loss_mask: [...loss_mask.slice(0, 2), `… ${loss_mask.filter(Boolean).length} of them 1`],
  spans: [...spans.slice(0, 2), `… ${spans.length - 2} more`],
  split: { reason, step },
});
