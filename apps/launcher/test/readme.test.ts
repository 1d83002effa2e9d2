import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { run } from "../src/run/run-command.ts";
import { launch, startGateway } from "./launcher.ts";

// Runs several programs one after the other, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const read = (path: string): Promise<string> =>
  readFile(new URL(`../${path}`, import.meta.url), "utf8");

const blocksOf = (readme: string, language: string): string[] =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, "g"))].map(
    ([, code]) => code ?? "",
  );

test("the code in the README is the examples' code", async () => {
  const readme = await read("README.md");
  expect(blocksOf(readme, "ts")).toEqual([await read("examples/agent.ts")]);
  expect(blocksOf(readme, "python")).toEqual([await read("examples/agent.py")]);
  const simulations = await read("examples/demo/simulations.yaml");
  for (const block of blocksOf(readme, "yaml")) expect(simulations).toContain(block);
  for (const block of blocksOf(readme, "json")) JSON.parse(block);
});

test("the README's options are those of the help", async () => {
  const [, options = ""] = (await read("README.md")).split("## Options of");
  for (const name of Object.keys(run.options)) expect(options).toContain(`\`--${name}\``);
});

test("the README's agent plays a simulation", async () => {
  await using gateway = await startGateway();
  const simulation = { env_params: { question: "19 + 23", answer: "42" } };
  await gateway.write("s.yaml", JSON.stringify([simulation]));
  const agent = fileURLToPath(new URL("../examples/agent.ts", import.meta.url));
  const command = `"${process.execPath}" "${agent}"`;
  const { code, stdout } = await launch(gateway.run("s.yaml", "--runtime-command", command), {
    cwd: gateway.folder,
  });
  expect(stdout).toMatch(/^finished {5}sim-000001 {2}reward 1,/m);
  expect(code).toBe(0);
});
