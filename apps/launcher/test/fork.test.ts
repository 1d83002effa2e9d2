import { openJobReader } from "@proj/session-store";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Gateway, launch, startGateway } from "./launcher.ts";

// Runs several programs one after the other, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let gateway: Gateway;
let source: string;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.write(
    "s.yaml",
    JSON.stringify([{ simulation_id: "one", env_params: { steps: 3 } }]),
  );
  await launch(gateway.run("s.yaml", "--job-id", "job-1"), { cwd: gateway.folder });
  source = (await environments("job-1"))[0]?.session_id ?? "";
});
afterAll(() => gateway[Symbol.asyncDispose]());

async function environments(job_id: string) {
  const store = await openJobReader({
    storage_type: "sqlite",
    storage_config: { db_url: gateway.db_url },
  });
  try {
    return (await store.readEnvironments({ job_id })).environments;
  } finally {
    await store.close();
  }
}

/** The session and step that answered each of a session's steps. */
async function replayed(session_id: string): Promise<unknown[]> {
  const answer = await fetch(`${gateway.url}/v1/sessions/${session_id}/steps`);
  const { steps } = (await answer.json()) as { steps: readonly { meta_json: string }[] };
  return steps.map(({ meta_json }) => {
    const { replayed_from = null } = JSON.parse(meta_json);
    return replayed_from === null ? null : [replayed_from.session_id, replayed_from.step_id];
  });
}

const fork = (...more: string[]): Promise<Awaited<ReturnType<typeof launch>>> =>
  launch(["fork", ...gateway.run().slice(1), ...more]);

test("fork continues from a session's state several times, in one group", async () => {
  const ended = await fork(source, "--step", "2", "--times", "3", "--job-id", "forks");
  expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)]);
  const siblings = await environments("forks");
  expect(
    siblings.map(({ simulation_id, group_id, status, reward }) => [
      simulation_id,
      group_id,
      status,
      reward,
    ]),
  ).toEqual([1, 2, 3].map((n) => [`${source}@2.${n}`, `${source}@2`, "finished", 3]));
  for (const { session_id, env_params } of siblings) {
    expect(JSON.parse(env_params ?? "")).toEqual({ steps: 3 });
    expect(await replayed(session_id)).toEqual([[source, 1], [source, 2], null]);
  }
});

test("a job is replayed without a model, as another job", async () => {
  const ended = await launch(gateway.run("--replay-from", "job-1", "--job-id", "again"));
  expect(ended.code).toBe(0);
  const [again] = await environments("again");
  expect(again).toMatchObject({ simulation_id: "one", status: "finished", reward: 3 });
  expect(await replayed(again?.session_id ?? "")).toEqual([1, 2, 3].map((step) => [source, step]));
});

test("an agent that puts a random id into its requests is replayed with --replay-ignore", async () => {
  const simulations = [{ simulation_id: "it", env_params: { steps: 2, random: true } }];
  await gateway.write("random.yaml", JSON.stringify(simulations));
  const first = gateway.run("random.yaml", "--job-id", "random");
  expect((await launch(first, { cwd: gateway.folder })).code).toBe(0);
  const again = ["--replay-from", "random", "--job-id"];
  const strict = await launch(gateway.run(...again, "strict"));
  expect([strict.code, strict.stdout]).toEqual([
    1,
    expect.stringContaining("differs from step 1 at metadata.user_id"),
  ]);
  const ignore = ["--replay-ignore", "prompt_cache_key,metadata.user_id"];
  expect((await launch(gateway.run(...again, "lenient", ...ignore))).code).toBe(0);
  const [session_id = ""] = (await environments("random")).map((each) => each.session_id);
  const [lenient] = await environments("lenient");
  expect(await replayed(lenient?.session_id ?? "")).toEqual([1, 2].map((at) => [session_id, at]));

  const branch = await fork(session_id, "--step", "1", "--job-id", "branch", ...ignore);
  expect(branch.code).toBe(0);
  const [forked] = await environments("branch");
  expect(await replayed(forked?.session_id ?? "")).toEqual([[session_id, 1], null]);
});

test("a fork that does not repeat the record fails, and says where it differs", async () => {
  const simulations = [{ simulation_id: "it", env_params: { steps: 2, random: true } }];
  await gateway.write("seeded.yaml", JSON.stringify(simulations));
  const first = gateway.run("seeded.yaml", "--job-id", "seeded");
  expect((await launch(first, { cwd: gateway.folder })).code).toBe(0);
  const [session_id = ""] = (await environments("seeded")).map((each) => each.session_id);

  const branch = await fork(session_id, "--step", "2", "--times", "2", "--job-id", "elsewhere");
  expect(branch.code).toBe(1);
  const why = "did not repeat the record up to step 2: its request differs from step 1 at metadata";
  expect(branch.stdout).toContain(`fork_diverged: ${why}`);
  const forks = await environments("elsewhere");
  expect(forks.map(({ status, reward }) => [status, reward])).toEqual([
    ["failed", null],
    ["failed", null],
  ]);
  const shown = await launch(["show", forks[0]?.session_id ?? "", "--db-path", gateway.db_url]);
  expect(shown.stdout).toContain("the request differs from step 1 at metadata");
  const named = await launch(["show", "it", "--db-path", gateway.db_url]);
  expect(named.stdout).toContain("simulation   it, attempt 1, of job seeded\n");
});

test("a missing step or job cannot be continued from", async () => {
  const none = await fork(source, "--step", "4", "--times", "2");
  expect(none.code).toBe(2);
  expect(none.stderr).toContain(
    `session '${source}' has no step 4 of the model 'demo' in sqlite://`,
  );
  const job = await launch(gateway.run("--replay-from", "job-0"));
  expect(job.code).toBe(2);
  expect(job.stderr).toContain("job 'job-0' is not in sqlite://");
});

test.each([
  [["fork", "s", "--step", "0"], "--step must be a whole number from 1"],
  [["fork", "s"], "--step"],
  [["fork", "--step", "1"], "SESSION"],
  [["run", "s.yaml", "--replay-from", "job"], "exclude each other"],
  [["run", "s.yaml", "--replay-ignore", "user"], "--replay-ignore needs --replay-from"],
  [["run", "--replay-from", "job", "--replay-ignore", "user,a..b"], "not 'a..b'"],
  [["run", "--replay-from", "job", "--job-id", "job"], "--job-id must name another job"],
])("%j is refused", async (args, why) => {
  const { code, stderr } = await launch([...args, ...gateway.run().slice(1)]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
});
