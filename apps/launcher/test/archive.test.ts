import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, launch, startGateway } from "./launcher.ts";

let gateway: Gateway;
let archive: string;
beforeAll(async () => {
  gateway = await startGateway();
  archive = join(gateway.folder, "archive");
  const simulations = [
    { simulation_id: "good", env_name: "maze", group_id: "g", env_params: { steps: 3 } },
    { simulation_id: "bad", env_params: { fail: 9 } },
  ];
  await gateway.write("s.yaml", JSON.stringify(simulations));
  await launch(gateway.run("s.yaml", "--job-id", "job-1"), { cwd: gateway.folder });
});
afterAll(() => gateway[Symbol.asyncDispose]());

const ask = (db_path: string, ...args: string[]) => launch([...args, "--db-path", db_path]);

test("commands that read say of an archive what they say of the database", async () => {
  const written = await ask(gateway.db_url, "archive", "job-1", "--to", archive);
  expect(written).toMatchObject({ code: 0, stderr: "" });
  expect(written.stdout).toMatch(/^archived 2 rollouts with \d steps; 0 were archived before\n$/);
  const again = await ask(gateway.db_url, "archive", "job-1", "--to", archive, "--json");
  expect(JSON.parse(again.stdout)).toEqual({ archived: 0, steps: 0, already_archived: 2 });
  for (const args of [
    ["report", "job-1", "--json", "--tools"],
    ["compare", "job-1", "job-1", "--json"],
    ["doctor", "--job-id", "job-1", "--json"],
    ["show", "good", "--json"],
    ["export"],
  ]) {
    const both = [ask(gateway.db_url, ...args), ask(archive, ...args)] as const;
    const [of_database, of_archive] = await Promise.all(both);
    expect(of_database.stdout.length).toBeGreaterThan(100);
    expect(of_archive).toEqual(of_database);
  }
  const html = join(gateway.folder, "archive.html");
  expect(await launch(["view", archive, "--html", html])).toMatchObject({ code: 0 });

  const prune = ["archive", "job-1", "--to", archive, "--prune"] as const;
  expect((await ask(gateway.db_url, ...prune)).stdout).toMatch(/\npruned 2 rollouts; kept 0\n$/);
  const left = JSON.parse((await ask(gateway.db_url, ...prune, "--json")).stdout);
  expect(left).toMatchObject({ archived: 0, already_archived: 2, pruned: 0, kept: 0 });
  expect((await ask(archive, "show", "good", "--json")).stdout).toContain('"good"');
});

test("an archive that is not there, or that would have to grow, is refused", async () => {
  const { db_url, folder } = gateway;
  expect(await ask(db_url, "archive", "job-9", "--to", archive)).toMatchObject({ code: 1 });
  const none = await ask(folder, "status");
  expect(none).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("no archive found in"),
  });
  const follow = ["--follow", "--format", "messages", "--job-id", "job-1", "--output", "x"];
  expect(await ask(folder, "export", ...follow)).toMatchObject({ code: 2 });
  const evaluate = ["evaluate", "--job-id", "j", "--llm-model", "m", "--evaluator-command", "e"];
  const written = await ask(folder, ...evaluate);
  expect(written).toMatchObject({ code: 2, stderr: expect.stringContaining("only read") });
});
