import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ErrorBody } from "@proj/gateway-protocol";
import {
  startDemoUpstream,
  startFaultyUpstream,
  temporaryFolder,
  waitFor,
  within,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { ask, type GotStep } from "../deploy/agent.ts";
import { headers, model, post, sessionClient } from "../deploy/site.ts";
import { expectStoredOnce } from "../deploy/stored-steps.ts";
import { startGatewayProcess } from "../gateway-process.ts";
import { lockSchema } from "./schema-lock.ts";
import { counted, startWorkers } from "./served-workers.ts";

const sessions = 12;
const ids = Array.from({ length: sessions }, (_, number) => `session:${number}`);

test("each session belongs to one worker; lists and metrics cover all of them", async () => {
  await using upstream = await startDemoUpstream();
  await using served = await startWorkers(upstream.url);
  const { url } = served;
  for (const id of ids) {
    const escaped = [...id].map((char) => `%${char.charCodeAt(0).toString(16)}`).join("");
    for (const [index, spelling] of [id, escaped].entries()) {
      const { session_id, step_id } = await ask(sessionClient(url, spelling), "Hi");
      expect({ session_id, step_id }).toEqual({ session_id: id, step_id: index + 1 });
    }
  }
  const held = await Promise.all([1, 2].map((number) => admittedBy(served.folder, number)));
  expect(held.map((count) => count > 0)).toEqual([true, true]);
  const page = await (await fetch(`${url}/v1/sessions?limit=5`, { headers })).json();
  const sorted = ids.toSorted();
  expect(page).toMatchObject({
    sessions: sorted.slice(0, 5).map((session_id) => ({ session_id })),
    next_after: sorted[4],
  });
  const metrics = await served.metrics();
  expect(counted(metrics, "gateway_requests_admitted_total")).toBe(2 * sessions);
  expect(counted(metrics, "gateway_sessions_active")).toBe(sessions);
  expect(counted(metrics, "gateway_telemetry_rows_written_total")).toBe(2 * sessions);
  const closed = await Promise.all(
    ids.map(async (id) => {
      const answer = await post(url, `/v1/sessions/${id}/close?wait=10`);
      return ((await answer.json()) as { status: string }).status;
    }),
  );
  expect(closed).toEqual(ids.map(() => "closed"));
  expect(counted(await served.metrics(), "gateway_sessions_closed")).toBe(sessions);
  expect((await fetch(`${url}/metrics`)).status).toBe(401);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

test("a worker that is killed under load is replaced, and no answered step is lost", async () => {
  await using upstream = await startDemoUpstream({ delayMs: 10 });
  await using served = await startWorkers(upstream.url);
  const { url } = served;
  const before = await served.workerPids();
  expect(before).toHaveLength(2);
  const got: GotStep[] = [];
  const all = Promise.all(
    ids.map(async (id) => {
      const openai = sessionClient(url, id).withOptions({ maxRetries: 12 });
      for (let number = 0; number < 15; number += 1)
        got.push(await ask(openai, `${id} asks ${number}`));
    }),
  );
  await Promise.race([all, waitFor(() => got.length >= 3 * sessions, "some steps")]);
  const counters = counted(await served.metrics(), "gateway_requests_admitted_total");
  process.kill(before[0] ?? 0, "SIGKILL");
  await within(all, "the agents' ends");
  expect(got).toHaveLength(15 * sessions);
  expectStoredOnce(got, await served.storedRows());
  const isReplaced = async (): Promise<boolean> => {
    const now = await served.workerPids();
    return now.length === 2 && !now.includes(before[0] ?? 0);
  };
  await waitFor(isReplaced, "a worker to replace it");
  expect(counted(await served.metrics(), "gateway_requests_admitted_total")).toBeGreaterThanOrEqual(
    counters,
  );
  const log = await readFile(join(served.folder, "logs/gateway.log"), "utf8");
  expect(log).toContain("a worker died and will be replaced");
});

// The second of these three waits for a time-out.
test.concurrent("SIGHUP reaches every worker, and SIGTERM lets every answer finish", async () => {
  const held = Promise.withResolvers<void>();
  await using upstream = await startDemoUpstream();
  const slow = await startFaultyUpstream(async (_request, reply) => {
    await held.promise;
    await reply.json({ id: "late", object: "chat.completion", choices: [] });
  });
  await using served = await startWorkers(upstream.url);
  const { url, program } = served;
  const routes = `{ ${model}: { base_url: "${upstream.url}" }, slow: { base_url: "${slow.url}" } }`;
  await writeFile(served.configPath, served.config(routes));
  program.kill("SIGHUP");
  await program.line(/SIGHUP: routes .*"slow"/);
  const messages = [{ role: "user", content: "Hi" }];
  const asked = ids.map((id) =>
    post(url, `/v1/sessions/${id}/chat/completions`, { model: "slow", messages }),
  );
  await waitFor(() => slow.requests.length === sessions, "every request at the upstream");
  program.kill("SIGTERM");
  await program.line(/finishing what is in flight/);
  held.resolve();
  const answers = await within(Promise.all(asked), "the answers in flight");
  expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
  await Promise.all(answers.map((answer) => answer.text()));
  expect(await program.exit()).toEqual({ code: 0, signal: null });
  expect(program.stdout).toContain("All rows are written.");
  expect(await served.storedRows()).toHaveLength(sessions);
  await slow.close();
});

test.concurrent("a worker that does not answer a reload is named, as it may still serve the old routes", async () => {
  await using upstream = await startDemoUpstream();
  await using served = await startWorkers(upstream.url);
  const { url, program } = served;
  const [stopped = 0] = await served.workerPids();
  process.kill(stopped, "SIGSTOP");
  try {
    program.kill("SIGHUP");
    const answer = await post(url, "/v1/routes/reload");
    const { error } = (await answer.json()) as ErrorBody;
    expect([answer.status, error.code]).toEqual([504, "reload_incomplete"]);
    await waitFor(
      () => /SIGHUP: worker \d did not answer/.test(program.stderr),
      "standard error to name the worker",
    );
  } finally {
    process.kill(stopped, "SIGCONT");
  }
  await waitFor(
    async () => (await post(url, "/v1/routes/reload")).status === 200,
    "the worker to answer again",
  );
});

test.concurrent("a worker that was starting during a reload serves the new routes", async () => {
  await using upstream = await startDemoUpstream();
  await using served = await startWorkers(upstream.url);
  await using database = await lockSchema(served.db_url);
  const [killed = 0] = await served.workerPids();
  process.kill(killed, "SIGKILL");
  // Its successor has read the configuration by then.
  await waitFor(database.isAwaited, "a worker that waits for the schema");
  const route = `{ base_url: "${upstream.url}" }`;
  await writeFile(served.configPath, served.config(`{ ${model}: ${route}, added: ${route} }`));
  expect((await post(served.url, "/v1/routes/reload")).status).toBe(200);
  await database.unlock();
  const isAdmitted = async (): Promise<boolean> => {
    const log = await readFile(join(served.folder, "logs/gateway.log"), "utf8");
    return [...log.matchAll(/a worker serves/g)].length === 3;
  };
  await waitFor(isAdmitted, "the successor to serve");
  const messages = [{ role: "user", content: "Hi" }];
  const hasRoute = async (id: string): Promise<boolean> => {
    const body = { model: "added", messages };
    const answer = await post(served.url, `/v1/sessions/${id}/chat/completions`, body);
    await answer.text();
    return answer.status === 200;
  };
  const everywhere = async (): Promise<boolean> =>
    (await Promise.all(ids.map(hasRoute))).every(Boolean);
  await waitFor(everywhere, "both workers to serve the added route");
});

test.concurrent("when the front is killed, its workers end by themselves", async () => {
  await using upstream = await startDemoUpstream();
  await using served = await startWorkers(upstream.url);
  await ask(sessionClient(served.url, "last"), "Hi");
  const workers = await served.workerPids();
  expect(workers).toHaveLength(2);
  served.program.kill("SIGKILL");
  await served.program.exit();
  await waitFor(() => workers.every(isGone), "the workers' ends");
  expect(await served.storedRows()).toHaveLength(1);
});

test("on SQLite several workers are refused, and the message says what to do", async () => {
  await using upstream = await startDemoUpstream();
  await using folder = await temporaryFolder();
  const config = `listen_port: 0\nllm_routes: { small: { base_url: "${upstream.url}" } }\n`;
  await writeFile(join(folder.path, "gateway.yaml"), config);
  const args = ["--config", "gateway.yaml", "--workers", "2"];
  await using program = startGatewayProcess(args, { cwd: folder.path });
  expect((await program.exit()).code).toBe(2);
  expect(program.stderr).toContain("needs PostgreSQL (storage_type: cloud)");
});

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

/** Lines in a worker's request log. */
async function admittedBy(folder: string, number: number): Promise<number> {
  const file = join(folder, `logs/gateway_requests-${number}.jsonl`);
  return (await readFile(file, "utf8")).trim().split("\n").length;
}
