import { readdir } from "node:fs/promises";
import { createPointsClient } from "@proj/points-client";
import { temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { runHere, startProgram, startSources, swapLine, workplace } from "./program.ts";

const urlOf = (line: string): string => /http:\S+/.exec(line)?.[0] ?? "";

test("without settings it serves made-up data, says so, and removes them at the end", async () => {
  await using folder = await temporaryFolder();
  await using program = startSources(["--port", "0"], { TMPDIR: folder.path });
  expect(await program.line(/made-up/)).toContain("No --config given");
  const baseUrl = urlOf(await program.line(/^serving demo at /));
  await program.line(/\d+ addresses in the rankings/);
  using client = createPointsClient({ baseUrl, network: "demo" });
  const { user } = await client.leaderboard("total", { address: "demo-003" });
  expect(user?.address).toBe("demo-003");
  expect(await client.contentProgram("demo-003")).toHaveLength(2);
  expect(Object.keys((await client.prices()).data)).toHaveLength(3);
  expect(await (await fetch(baseUrl)).text()).toContain("<h1>Points on demo</h1>");
  program.kill("SIGTERM");
  expect(await program.exit()).toEqual({ code: 0, signal: null });
  expect(await readdir(folder.path)).toEqual([]);
});

test("with settings it serves the imported events, under its prefix", async () => {
  await using place = await workplace("prefix: points");
  const file = await place.write("a.jsonl", swapLine("a", 2));
  await runHere("import", file, "-c", place.config);
  await using program = startProgram(["serve", "-c", place.config]);
  const baseUrl = urlOf(await program.line(/^serving main at .* from sqlite$/));
  await program.line(/^1 address/);
  using client = createPointsClient({ baseUrl, prefix: "points", network: "main" });
  expect((await client.leaderboard("total")).leaderboard).toMatchObject([{ points: "2000000" }]);
  program.kill("SIGINT");
  expect((await program.exit()).code).toBe(0);
  expect(program.stderr).toBe("");
});

test("with settings but without events it says how to add some", async () => {
  await using place = await workplace();
  await using program = startProgram(["serve", "-c", place.config]);
  await program.line(/there are no events yet \(points import/);
  program.kill("SIGTERM");
  expect((await program.exit()).code).toBe(0);
});

test("a port in use is reported, with exit code 3", async () => {
  await using place = await workplace();
  await using first = startProgram(["-c", place.config]);
  const { port } = new URL(urlOf(await first.line(/^serving /)));
  const { code, stderr } = await runHere("--port", port);
  expect(code).toBe(3);
  expect(stderr).toContain(`port ${port} of 127.0.0.1 is in use`);
});
