import { openJobStore, type Score } from "@proj/session-store";
import {
  chatCompletion,
  type FaultyUpstream,
  type ReplyHandler,
  startFaultyUpstream,
  temporaryFolder,
} from "@proj/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { writeTwoPrompts } from "../examples/two-prompts.ts";
import { type Gateway, launch, startGateway, startLauncher } from "./launcher.ts";

const rubric = `
name: NAME
instructions: You judge how an agent solved its task.
criteria:
  - { name: reward, about: Whether the task was solved., values: [0, 1, 2, 3] }
  - { name: tone, about: How it speaks., values: [kind, curt] }
`;

interface Judged {
  readonly gateway: Gateway;
  readonly judge: (name: string, ...more: string[]) => string[];
  scores(): Promise<readonly Score[]>;
}

/** A gateway whose route `judge` is the given upstream, with the jobs of two prompts in its database. */
async function judged(upstream: FaultyUpstream): Promise<Judged> {
  const llm_routes = { judge: { base_url: upstream.url, retries: 0 } };
  const gateway = await startGateway({ llm_routes });
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  await writeTwoPrompts(gateway.db_url);
  const { url, db_url } = gateway;
  const store = await openJobStore({ storage_type: "sqlite", storage_config: { db_url } });
  onTestFinished(() => store.close());
  for (const name of ["lenient", "strict"])
    await gateway.write(`${name}.yaml`, rubric.replace("NAME", name));
  return {
    gateway,
    judge: (name, ...more) => [
      ...["judge", "prompt-a", "--rubric", `${gateway.folder}/${name}.yaml`],
      ...["--llm-model", "judge", "--gateway-base-url", url, "--db-path", db_url, ...more],
    ],
    scores: async () =>
      (await store.readScores({ job_id: "prompt-a", limit: 1000 })).scores.filter(({ author }) =>
        author.startsWith("judge:"),
      ),
  };
}

/** A judge that always says the same. */
const saying =
  (value: number): ReplyHandler =>
  (_request, reply) => {
    const said = { reward: { value, comment: "as always" }, tone: { value: "kind" } };
    void reply.json(chatCompletion({ content: JSON.stringify(said) }));
  };

test("a judge with a known bias is found by agreement, and rewards stay as they are", async () => {
  await using upstream = await startFaultyUpstream(saying(3));
  const { gateway, judge, scores } = await judged(upstream);
  const before = JSON.parse(
    (await launch(["report", "prompt-a", "--json", "--db-path", gateway.db_url])).stdout,
  );
  const { code, stdout } = await launch(judge("lenient"));
  expect(stdout).toBe("160 judged, 0 judged before, 0 failed\n");
  expect(code).toBe(0);
  const found = await launch(["agreement", "prompt-a", "--json", "--db-path", gateway.db_url]);
  const [agreement] = JSON.parse(found.stdout);
  expect(agreement).toMatchObject({
    name: "reward",
    authors: ["evaluator", "judge:lenient"],
    sessions: 160,
    kappa: 0,
  });
  expect(agreement.bias).toBeCloseTo(3 - before[0].mean, 9);
  expect(agreement.bias_interval.low).toBeGreaterThan(2);
  const after = JSON.parse(
    (await launch(["report", "prompt-a", "--json", "--db-path", gateway.db_url])).stdout,
  );
  expect(after).toEqual(before);
  const byJudge = await launch([
    "report",
    "prompt-a",
    "--score",
    "reward",
    "--by",
    "judge:lenient",
    "--json",
    "--db-path",
    gateway.db_url,
  ]);
  expect(JSON.parse(byJudge.stdout)[0].mean).toBe(3);
  // The calls are recorded, each in a session of its own.
  const sessions = new Set((await scores()).map(({ judged_in }) => judged_in));
  expect(sessions.size).toBe(160);

  // Run again, it asks for nothing and changes nothing.
  const asked = upstream.requests.length;
  const said = await scores();
  expect((await launch(judge("lenient"))).stdout).toBe("0 judged, 160 judged before, 0 failed\n");
  expect(upstream.requests).toHaveLength(asked);
  expect(await scores()).toEqual(said);

  // Each can be replayed: the same scores again, and no model is asked.
  const [{ judged_in } = { judged_in: null }] = await scores();
  const sessions_url = `${gateway.url}/v1/sessions`;
  const answer = await fetch(`${sessions_url}/${judged_in}/steps`);
  const { steps } = (await answer.json()) as { steps: { request: string; messages: string }[] };
  const [step = { request: "{}", messages: "[]" }] = steps;
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${sessions_url}/again/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  expect((await post("fork", { from: judged_in, mode: "replay" })).status).toBe(200);
  const messages: unknown = JSON.parse(step.messages);
  const replayed = await post("chat/completions", { ...JSON.parse(step.request), messages });
  const { choices } = (await replayed.json()) as { choices: { message: { content: string } }[] };
  const again = JSON.parse(choices[0]?.message.content ?? "null");
  for (const { name, value, label } of (await scores()).filter(
    (score) => score.judged_in === judged_in,
  ))
    expect(again[name].value).toBe(value ?? label);
  expect(upstream.requests).toHaveLength(asked);
});

test("an answer that breaks the rubric is asked for again, and given up after three times", async () => {
  const bad = ["hello", '{"reward":{"value":7},"tone":{"value":"kind"}}', '{"reward":{"value":1}}'];
  let asked = 0;
  await using upstream = await startFaultyUpstream((_request, reply) => {
    void reply.json(chatCompletion({ content: bad[asked++ % 3] ?? "" }));
  });
  const { judge, scores } = await judged(upstream);
  const { code, stdout, stderr } = await launch(judge("strict", "--concurrency", "160"));
  expect(code).toBe(1);
  expect(stdout).toBe("0 judged, 0 judged before, 160 failed\n");
  expect(stderr).toContain("reward: 7 is not one of 0, 1, 2, 3");
  expect(asked).toBe(480);
  expect(await scores()).toEqual([]);
});

test("kills of the run lose and double no score, and the order is drawn", async () => {
  let asked = 0;
  const orders = new Set<string>();
  const reached = new Map<number, () => void>();
  await using upstream = await startFaultyUpstream(async (request, reply) => {
    asked += 1;
    const [system] = JSON.parse(request.body.toString()).messages;
    orders.add(/One of ([\d, ]+)\./.exec(system.content)?.[1] ?? "");
    reached.get(asked)?.();
    await saying(1)(request, reply);
  });
  const { judge, scores } = await judged(upstream);
  for (const calls of [5, 40, 90]) {
    const there = new Promise<void>((resolve) => reached.set(calls, resolve));
    await using program = startLauncher(judge("strict", "--repetitions", "2"));
    await there;
    program.kill("SIGKILL");
    await program.exit();
  }
  const half = (await scores()).length;
  expect(half).toBeGreaterThan(0);
  expect(half % 2).toBe(0);
  const { stdout } = await launch(judge("strict", "--repetitions", "2"));
  expect(stdout).toBe(`${320 - half / 2} judged, ${half / 2} judged before, 0 failed\n`);
  const all = await scores();
  expect(all).toHaveLength(640);
  expect(
    new Set(all.map(({ session_id, repetition, name }) => `${session_id} ${repetition} ${name}`))
      .size,
  ).toBe(640);
  // At most one call of each place was under way at a kill.
  expect(asked).toBeLessThanOrEqual(320 + 3 * 8);
  expect(orders.size).toBeGreaterThan(10);
});

test("a rubric that is wrong is refused with all that is wrong", async () => {
  await using folder = await temporaryFolder();
  const db = `sqlite://${folder.path}/gateway.db`;
  await writeTwoPrompts(db);
  const file = `${folder.path}/rubric.yaml`;
  const { writeFile } = await import("node:fs/promises");
  await writeFile(file, "name: a b\ncriteria: [{ name: x, about: y, values: [1] }]\n");
  const { code, stderr } = await launch([
    "judge",
    "prompt-a",
    "--rubric",
    file,
    "--llm-model",
    "judge",
    "--db-path",
    db,
  ]);
  expect(code).toBe(2);
  expect(stderr).toContain("name: must be 1 to 64 letters");
  expect(stderr).toContain("instructions: ");
  expect(stderr).toContain("criteria.0.values");
});
