import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { json, text } from "node:stream/consumers";
import { openJobStore } from "@proj/session-store";
import { listen } from "@proj/test-kit";
import { expect, test, vi } from "vitest";
import { type Gateway, launch, main, startGateway } from "./launcher.ts";

// Runs several programs one after the other, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

async function environmentsOf({ db_url }: Gateway, job_id: string) {
  const store = await openJobStore({ storage_type: "sqlite", storage_config: { db_url } });
  const { environments } = await store.readEnvironments({ job_id });
  await store.close();
  return environments;
}

const eventsOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("a job is run to its end, reported line by line, and summarized", async () => {
  await using gateway = await startGateway();
  await gateway.write(
    "s.yaml",
    "- { env_params: { steps: 2 }, repeat: 2 }\n- { simulation_id: last }\n",
  );
  const cwd = gateway.folder;
  const { code, stdout, stderr } = await launch(gateway.run("s.yaml", "--concurrency", "2"), {
    cwd,
  });
  expect(stderr).toBe("");
  expect(code).toBe(0);
  const job_id = /--job-id (job-\S+)/.exec(stdout)?.[1] ?? "";
  for (const simulation_id of ["sim-000001.1", "sim-000001.2", "last"]) {
    expect(stdout).toMatch(new RegExp(`^started      ${simulation_id}  session \\S+$`, "m"));
  }
  expect(stdout).toMatch(/^finished {5}sim-000001\.1 {2}reward 2, .* session \S+$/m);
  expect(stdout).toContain("3 simulations: 3 finished, 0 failed");
  expect(stdout).toContain("mean reward 1.667");
  expect(stdout).toContain(`launcher export --job-id ${job_id} --db-path ${gateway.db_url}`);
  const environments = await environmentsOf(gateway, job_id);
  expect(environments.map(({ status, reward }) => [status, reward])).toEqual([
    ["finished", 1],
    ["finished", 2],
    ["finished", 2],
  ]);
});

test("--json: the events are JSON Lines on standard output, text goes to standard error", async () => {
  await using gateway = await startGateway();
  await gateway.write(
    "s.jsonl",
    '{"simulation_id":"a"}\n{"simulation_id":"b","env_params":{"fail":9}}',
  );
  const args = gateway.run("s.jsonl", "--json", "--job-id", "job-1");
  const { code, stdout, stderr } = await launch(args, { cwd: gateway.folder });
  expect(code).toBe(1);
  const events = eventsOf(stdout);
  expect(events[0]).toMatchObject({ event: "job_started", job_id: "job-1", simulations: 2 });
  expect(events.at(-1)).toMatchObject({ event: "job_ended", finished: 1, failed: 1 });
  const finished = events.find(({ event }) => event === "simulation_finished");
  expect(finished).toMatchObject({ simulation_id: "a", attempt: 1, reward: 1, step_id: 1 });
  const failed = events.find(({ event }) => event === "simulation_failed");
  expect(failed).toMatchObject({ simulation_id: "b", last_output: expect.stringContaining("way") });
  for (const { time } of events) expect(new Date(time).toISOString()).toBe(time);
  expect(stderr).toContain("job job-1: to continue it later, give --job-id job-1");
  expect(stderr).toMatch(
    /1 attempt failed: crash \(runtime_exited\)\n {4}b, attempt 1, session \S+: /,
  );
});

test("a failed simulation reports its output; with more attempts the stored job continues", async () => {
  await using gateway = await startGateway();
  const simulations = [{ simulation_id: "a" }, { simulation_id: "b", env_params: { fail: 1 } }];
  await gateway.write("s.yaml", JSON.stringify(simulations));
  const cwd = gateway.folder;
  const job = ["--job-id", "job-1"];
  const first = await launch(gateway.run("s.yaml", ...job), { cwd });
  expect(first.code).toBe(1);
  expect(first.stdout).toMatch(
    /^failed {7}b {2}runtime_exited: .* code 3.*, session \S+\n {4}\| the agent\n {4}\| lost its way$/m,
  );
  const shown = await launch(["show", "b", "--db-path", gateway.db_url]);
  expect(shown.stdout).toMatch(/^error +runtime_exited: .* code 3/m);
  expect(shown.stdout).toMatch(/^output\n {4}the agent\n {4}lost its way$/m);
  expect(shown.stdout).not.toMatch(/^result/m);
  // The same file means the same simulations.
  const same = await launch(gateway.run("s.yaml", ...job), { cwd });
  expect(same.code).toBe(1);
  expect(same.stdout).not.toMatch(/^started/m);

  const more = await launch(gateway.run(...job, "--max-attempts", "2"), { cwd });
  expect(more.code).toBe(0);
  expect(more.stdout).toMatch(/^started {6}b \(attempt 2\)/m);
  const attempts = (await environmentsOf(gateway, "job-1")).map(
    ({ simulation_id, attempt, status }) => `${simulation_id} ${attempt} ${status}`,
  );
  expect(attempts).toEqual(["a 1 finished", "b 1 failed", "b 2 finished"]);
});

test("simulations come from standard input too", async () => {
  await using gateway = await startGateway();
  const child = spawn(process.execPath, ["--conditions=@proj/source", main, ...gateway.run("-")]);
  child.stdin.end('{"simulation_id":"a"}\n{"simulation_id":"b"}\n');
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  expect(code).toBe(0);
  expect(stdout).toContain("2 simulations: 2 finished");
});

test("a runtime gets the key to its own session if the secret is known, otherwise the gateway's", async () => {
  const auth = { api_keys: ["the-launchers-key"], session_secret: "a secret of the gateway" };
  await using gateway = await startGateway({ auth });
  await gateway.write("s.yaml", "- { simulation_id: a }");
  const cwd = gateway.folder;
  const env = { GATEWAY_API_KEY: "the-launchers-key" };
  const secret = ["--session-secret", auth.session_secret];
  const runs = await Promise.all([
    launch(gateway.run("s.yaml", "--job-id", "with", ...secret), { cwd, env }),
    launch(gateway.run("s.yaml", "--job-id", "without"), { cwd, env }),
  ]);
  for (const { code, stdout, stderr } of runs) {
    expect(code).toBe(0);
    expect(stdout + stderr).not.toMatch(/the-launchers-key|a secret of|sess_/);
  }
  const keys = ["with", "without"].map(async (job_id) => {
    const [environment] = await environmentsOf(gateway, job_id);
    return JSON.parse(environment?.result ?? "").metrics.key;
  });
  expect(await Promise.all(keys)).toEqual(["sess_", "the-l"]);
});

test("runtime and evaluator may be endpoints, and an evaluator a command", async () => {
  await using gateway = await startGateway();
  const server = createServer(async (request, response) => {
    const body = Object(await json(request));
    if (request.url === "/score") {
      response.end(JSON.stringify({ score: body.steps.length / 4, seen: body.steps.length }));
      return;
    }
    const { llm_base_url, llm_model: model } = body;
    const chat = { model, messages: [{ role: "user", content: "Hello" }] };
    const headers = { "content-type": "application/json" };
    const url = `${llm_base_url}/chat/completions`;
    await fetch(url, { method: "POST", headers, body: JSON.stringify(chat) });
    response.end('{"status":"done"}');
  });
  await using listening = await listen(server);
  await gateway.write("s.yaml", "- {}");
  const base = [
    "--db-path",
    gateway.db_url,
    "--gateway-base-url",
    gateway.url,
    "--llm-model",
    "demo",
  ];
  const run = ["run", "s.yaml", ...base, "--runtime-url", `${listening.url}/play`];
  const runs = await Promise.all(
    [
      ["--job-id", "url", "--evaluator-url", `${listening.url}/score`],
      ["--job-id", "command", "--evaluator-command", "echo 0.5"],
    ].map((more) => launch([...run, ...more], { cwd: gateway.folder })),
  );
  expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  const rewards = ["url", "command"].map(
    async (job) => (await environmentsOf(gateway, job))[0]?.reward,
  );
  expect(await Promise.all(rewards)).toEqual([0.25, 0.5]);
});
