import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { openJobStore } from "@proj/session-store";
import { listen } from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, launch, main, startGateway } from "./launcher.ts";

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
  const simulations = [
    { simulation_id: "good", env_name: "maze", group_id: "g", env_params: { steps: 3 } },
    { simulation_id: "bad", env_params: { fail: 1 } },
    { simulation_id: "worse", env_params: { fail: 9 } },
  ];
  await gateway.write("s.yaml", JSON.stringify(simulations));
  const options = ["--job-id", "job-1", "--max-attempts", "2"];
  await launch(gateway.run("s.yaml", ...options), { cwd: gateway.folder });
  const { db_url } = gateway;
  const store = await openJobStore({ storage_type: "sqlite", storage_config: { db_url } });
  const none = { env_name: null, env_params: null, group_id: null };
  await store.addSimulations("job-2", [{ simulation_id: "later", ...none }]);
  await store.close();
});
afterAll(() => gateway[Symbol.asyncDispose]());

const ask = (...args: string[]) => launch([...args, "--db-path", gateway.db_url]);

test("status lists the jobs, newest first", async () => {
  const { code, stdout } = await ask("status");
  expect(code).toBe(0);
  const [titles, ...jobs] = stdout.trimEnd().split("\n");
  expect(titles).toMatch(
    /^job +started +simulations +pending +running +finished +failed +infrastructure +mean reward$/,
  );
  expect(jobs.map((line) => line.replace(/ {2,}/g, " ").replace(/ \S+Z /, " "))).toEqual([
    "job-2 1 1 0 0 0 0 –",
    "job-1 3 0 0 2 1 0 2",
  ]);
  const json = JSON.parse((await ask("status", "--json")).stdout);
  expect(json).toMatchObject([{ job_id: "job-2" }, { job_id: "job-1", mean_reward: 2 }]);
});

test("status of one job lists its failures by error, with examples", async () => {
  const { stdout } = await ask("status", "--job-id", "job-1");
  expect(stdout).toMatch(/^job job-1\n {2}started \S+Z, last ended \S+Z\n/);
  expect(stdout).toContain("  3 simulations: 2 finished, 1 failed\n  mean reward 2\n");
  expect(stdout).toContain("  3 attempts failed: crash (runtime_exited)\n");
  expect(stdout).toMatch(/^ {4}bad, attempt 1, session \S+: .*command .* exited with code 3/m);
  const json = JSON.parse((await ask("status", "--job-id", "job-1", "--json")).stdout);
  expect(json).toMatchObject({ failed: 1, failures: [{ error: "runtime_exited", attempts: 3 }] });
});

test("view --html writes a job and its sessions into one file", async () => {
  const file = join(gateway.folder, "job.html");
  expect(await ask("view", "job-1", "--html", file)).toMatchObject({ code: 0 });
  const page = await readFile(file, "utf8");
  const [, data = ""] =
    /<script type="application\/json" id="data">(.*)<\/script>/.exec(page) ?? [];
  const answers = JSON.parse(data);
  expect(answers["/v1/jobs/job-1"]).toMatchObject({ simulations: 3, finished: 2 });
  const [session] = answers["/v1/sessions"].sessions;
  expect(answers[`/v1/sessions/${session.session_id}/rows`].rows).not.toEqual([]);
  expect(page).toContain("default-src 'none'");
  expect(await ask("view", "no-job", "--html", file)).toMatchObject({ code: 1 });
  expect(await ask("view", "--html", file)).toMatchObject({ code: 2 });
});

test("view --html writes an export of steps into one file", async () => {
  const steps = join(gateway.folder, "steps.jsonl");
  const file = join(gateway.folder, "export.html");
  expect(await ask("export", "-o", steps)).toMatchObject({ code: 0 });
  expect(await ask("view", steps, "--html", file)).toMatchObject({ code: 0 });
  const [, data = ""] =
    /<script type="application\/json" id="data">(.*)<\/script>/.exec(
      await readFile(file, "utf8"),
    ) ?? [];
  const answers = JSON.parse(data);
  expect(answers["/v1/jobs"].jobs).toMatchObject([
    { job_id: "job-1", simulations: 2, finished: 2 },
  ]);
  const { attempts } = answers["/v1/jobs/job-1/usage"];
  expect(attempts[0]).toMatchObject({ simulation_id: "bad", calls: expect.any(Number) });
  const other = await ask("view", file, "--html", join(gateway.folder, "other.html"));
  expect(other.code).toBe(2);
  expect(other.stderr).toContain("export.html, line 1:");
});

test("view says what to do when its port is in use", async () => {
  await using taken = await listen(createServer());
  const { code, stderr } = await ask("view", "--port", String(taken.port));
  expect(code).toBe(3);
  expect(stderr).toContain(`launcher: port ${taken.port} of 127.0.0.1 is in use. Stop what`);
});

test("export --follow appends finished groups, ends with the job, and repeats nothing", async () => {
  const file = join(gateway.folder, "followed.jsonl");
  const follow = ["export", "--job-id", "job-1", "--follow", "--output", file];
  expect((await ask(...follow)).stderr).toContain("need a --format other than steps");
  for (let time = 1; time <= 2; time += 1) {
    expect(await ask(...follow, "--format", "sharegpt")).toMatchObject({ code: 0, stderr: "" });
    const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
    const ended = lines.map((line) => JSON.parse(line).simulation_id);
    expect(ended.toSorted()).toEqual(["bad", "good", "good", "good"]);
  }
  expect((await ask(...follow, "--format", "atif")).code).toBe(2);
});

test("export writes a line for each step of a finished simulation, and show shows more of it", async () => {
  const file = join(gateway.folder, "job-1.jsonl");
  const { code, stdout } = await ask("export", "--job-id", "job-1", "--output", file);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
  const steps = lines.map((line) => JSON.parse(line));
  expect(
    steps.map(({ simulation_id, attempt, step_id, reward, is_terminal }) =>
      [simulation_id, attempt, step_id, reward, is_terminal].join(" "),
    ),
  ).toEqual(["bad 2 1 1 true", "good 1 1 3 false", "good 1 2 3 false", "good 1 3 3 true"]);
  expect(steps[1]).toMatchObject({
    job_id: "job-1",
    env_name: "maze",
    group_id: "g",
    model: "demo",
    messages: [{ role: "user", content: "1 + 1" }],
    request: { model: "demo" },
    response: { choices: [{ message: { content: "1 + 1 = 2" } }] },
  });

  const { stdout: shown } = await ask("show", steps[0].session_id);
  expect(shown).toContain(`session      ${steps[0].session_id}\n`);
  expect(shown).toContain("simulation   bad, attempt 2, of job job-1\n");
  expect(shown).toContain('parameters   {"fail":1}\n');
  expect(shown).toContain("status       finished\nreward       1\n");
  expect(shown).toMatch(/^step 1 {2}demo {2}.* reward 1$/m);
});

test("an unknown job and a missing database are reported", async () => {
  const unknown = await ask("export", "--job-id", "job-x");
  expect(unknown).toMatchObject({ code: 1, stdout: "" });
  expect(unknown.stderr).toContain("there is no job 'job-x'");
  const file = join(gateway.folder, "missing.db");
  const missing = await launch(["status", "--db-path", `sqlite://${file}`]);
  expect(missing).toMatchObject({ code: 3, stdout: "" });
  expect(missing.stderr).toContain("there is no database");
  expect(existsSync(file)).toBe(false);
});

test("a reader that stops early ends an export quietly", async () => {
  const args = ["--conditions=@proj/source", main, "export", "--db-path", gateway.db_url];
  const child = spawn(process.execPath, args);
  let stderr = "";
  child.stderr.on("data", (text) => {
    stderr += text;
  });
  child.stdout.destroy();
  expect(await once(child, "close")).toEqual([0, null]);
  expect(stderr).toBe("");
});

test("a file that cannot be written is reported", async () => {
  const { code, stderr } = await ask("export", "--output", join(gateway.folder, "no", "x.jsonl"));
  expect(stderr).toMatch(/^launcher: no such file or folder: '.*x\.jsonl'/);
  expect(code).toBe(3);
});

test("export writes whole rollouts in the chosen format, and refuses options that exclude each other", async () => {
  const options = ["export", "--job-id", "job-1", "--filter", "env_name=maze"];
  const { code, stdout } = await ask(...options, "--format", "openai-finetuning");
  expect(code).toBe(0);
  const [line, ...others] = stdout.trimEnd().split("\n");
  expect(others).toHaveLength(2);
  expect(JSON.parse(line ?? "")).toMatchObject({
    messages: [{ role: "user" }, { role: "assistant", content: "1 + 1 = 2" }],
  });
  const refused = await ask(...options, "--include", "failed");
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(
    "--filter, --since, --parquet, --follow, --max-staleness and --side-calls need a --format",
  );
  const wrong = await ask(...options, "--format", "verl", "--filter", "colour=red");
  expect(wrong.stderr).toContain("must be env_name=");
});

test("an export of nothing says why, and exits with 1", async () => {
  const output = join(gateway.folder, "nothing");
  const nothing = async (...options: string[]) => {
    const { code, stdout, stderr } = await ask("export", ...options);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    return stderr.trim();
  };
  const of = ["--job-id", "job-1", "--format"];
  expect(await nothing(...of, "sequences")).toMatch(
    /^launcher: nothing is exported: 2 rollouts ended, but none has tokens to train on: .* doctor says why$/,
  );
  const parquet = ["--parquet", "--output", `${output}.parquet`];
  expect(await nothing(...of, "trl", ...parquet)).toContain("none has tokens to train on");
  const follow = ["--follow", "--output", `${output}.jsonl`];
  expect(await nothing(...of, "verl", ...follow)).toContain("none has tokens to train on");
  expect(await nothing(...of, "messages", "--filter", "reward>5")).toContain(
    "--filter and --since exclude all 2 rollouts",
  );
  expect(await nothing("--job-id", "job-2")).toContain(
    "no simulation has ended with a reward: 1 pending",
  );
});

test("doctor says that training needs token ids, and how to get them", async () => {
  const { code, stdout } = await ask("doctor", "--job-id", "job-1", "--min-delivered", "0.5");
  expect(code).toBe(1);
  expect(stdout).toContain("2 rollouts, 4 steps, 0 sequences\n");
  expect(stdout).toMatch(/^no_token_ids +4 +20$/m);
  expect(stdout).toContain("return_token_ids: true");
  const json = await ask("doctor", "--json");
  expect(json.code).toBe(0);
  expect(JSON.parse(json.stdout)).toMatchObject({
    rollouts: 2,
    delivered_fraction: 0,
    losses_by_reason: { no_token_ids: { steps: 4, tokens: 20 } },
    missing_ids: { flag: { steps: 4, tokens: 20 } },
  });
  const named = await ask("doctor", "--verbose");
  expect(named.stdout).toMatch(/^\S+ #1 +\S+ +\S+\/1 +loss +no_token_ids +\d+ tokens, flag *$/m);
});

test("doctor --recompute has nothing to compare in a job without token ids, and checks its options", async () => {
  const store = ["doctor", "--job-id", "job-1", "--gateway-base-url", gateway.url];
  const none = await ask(...store, "--recompute", "demo", "--max-difference", "0");
  // Nothing of the job can be trained on.
  expect(none).toMatchObject({ code: 0 });
  expect(none.stdout).toContain("0 tokens in 0 sequences, computed again: nothing to compare");
  expect((await ask(...store, "--max-difference", "0.1")).code).toBe(2);
  expect((await ask(...store, "--recompute", "demo", "--max-difference", "-1")).code).toBe(2);
});
