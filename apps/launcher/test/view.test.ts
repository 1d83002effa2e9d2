import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, launch, startGateway, startLauncher } from "./launcher.ts";

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
  await gateway.write("s.yaml", JSON.stringify([{ simulation_id: "good" }]));
  await launch(gateway.run("s.yaml", "--job-id", "job-1"), { cwd: gateway.folder });
});
afterAll(() => gateway[Symbol.asyncDispose]());

/** Starts `view`, and waits for the address that it prints. */
async function view(...operands: string[]) {
  const storage = operands.some((operand) => operand.endsWith(".jsonl"))
    ? []
    : ["--db-path", gateway.db_url];
  const program = startLauncher(["view", ...operands, ...storage, "--port", "0"]);
  const [, key = ""] = (await program.line(/^key {6}/)).split(/ +/);
  const line = await program.line(/^console {2}http:/);
  const url = new URL(line.replace(/^console +/, ""));
  const read = async (path: string): Promise<unknown> =>
    (await fetch(new URL(path, url), { headers: { authorization: `Bearer ${key}` } })).json();
  return { program, url, key, read, [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() };
}

test("view serves a database's console until it is interrupted, and begins with the job", async () => {
  await using viewed = await view("job-1");
  expect(viewed.url.pathname + viewed.url.hash).toBe("/console#/jobs/job-1");
  expect(viewed.url.hostname).toBe("127.0.0.1");
  expect(await (await fetch(viewed.url)).text()).toContain("<title>Console</title>");
  expect(await viewed.read("/v1/jobs/job-1")).toMatchObject({ simulations: 1, finished: 1 });
  expect(viewed.key).toMatch(/^[\w-]{24}$/);
  for (const path of ["/v1/jobs/job-1", "/v1/sessions?stored=true", "/v1/sessions/x/live", "/none"])
    for (const authorization of ["", `Bearer ${viewed.key}x`, viewed.key]) {
      const refused = await fetch(new URL(path, viewed.url), { headers: { authorization } });
      expect([path, refused.status]).toEqual([path, 401]);
      expect(await refused.text()).not.toContain("good");
    }
  viewed.program.kill("SIGINT");
  const { code } = await viewed.program.exit();
  expect(code).toBe(0);
  expect(viewed.program.stdout).toContain("SIGINT: closing");
});

test("view serves an export of steps", async () => {
  const steps = join(gateway.folder, "steps.jsonl");
  await launch(["export", "--db-path", gateway.db_url, "-o", steps]);
  await using viewed = await view(steps);
  expect(viewed.url.pathname + viewed.url.hash).toBe("/console");
  const list = await viewed.read("/v1/sessions?stored=true");
  expect(list).toMatchObject({ sessions: [{ job_id: "job-1" }], next_before: null });
});
