import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  startDemoUpstream,
  startFaultyUpstream,
  temporaryFolder,
  waitFor,
  within,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { ask, type GotStep } from "../deploy/agent.ts";
import { isWithoutHaproxy } from "../deploy/balancer.ts";
import { headers, model, post, sessionClient } from "../deploy/site.ts";
import { expectStoredOnce } from "../deploy/stored-steps.ts";
import { startGatewayProcess } from "../gateway-process.ts";
import { lockSchema } from "./schema-lock.ts";
import { startWorkers } from "./served-workers.ts";

const sessions = 12;
const ids = Array.from({ length: sessions }, (_, number) => `session:${number}`);

test.skipIf(isWithoutHaproxy)(
  "each session belongs to one worker, however its id is spelled",
  async () => {
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
    const stored = await fetch(`${url}/v1/sessions?stored=true`, { headers });
    const { sessions: listed } = (await stored.json()) as { sessions: readonly object[] };
    expect(listed).toHaveLength(sessions);
    const closed = await Promise.all(
      ids.map(async (id) => {
        const answer = await post(url, `/v1/sessions/${id}/close?wait=10`);
        return ((await answer.json()) as { status: string }).status;
      }),
    );
    expect(closed).toEqual(ids.map(() => "closed"));
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  },
);

test.skipIf(isWithoutHaproxy)(
  "a worker that is killed under load is replaced, and no answered step is lost",
  async () => {
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
    process.kill(before[0] ?? 0, "SIGKILL");
    await within(all, "the agents' ends");
    expect(got).toHaveLength(15 * sessions);
    expectStoredOnce(got, await served.storedRows());
    const isReplaced = async (): Promise<boolean> => {
      const now = await served.workerPids();
      return now.length === 2 && !now.includes(before[0] ?? 0);
    };
    await waitFor(isReplaced, "a worker to replace it");
    const log = await readFile(join(served.folder, "logs/gateway.log"), "utf8");
    expect(log).toContain("a process died and will be replaced");
  },
);

test.skipIf(isWithoutHaproxy)(
  "SIGHUP reaches every worker, and SIGTERM lets every answer finish",
  { concurrent: true },
  async () => {
    const held = Promise.withResolvers<void>();
    await using upstream = await startDemoUpstream();
    const slow = await startFaultyUpstream(async (_request, reply) => {
      await held.promise;
      await reply.json({ id: "late", object: "chat.completion", choices: [] });
    });
    await using served = await startWorkers(upstream.url);
    const { url, program } = served;
    const routes = `{ ${model}: { base_url: "${upstream.url}" }, slow: { base_url: "${slow.url}", max_concurrency: 64 } }`;
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
  },
);

test.skipIf(isWithoutHaproxy)(
  "a frozen worker's sessions go on at the other one, and what it does later is not stored",
  { concurrent: true },
  async () => {
    const held = Promise.withResolvers<void>();
    await using upstream = await startFaultyUpstream(async ({ body }, reply) => {
      if (body.includes("hold")) await held.promise;
      await reply.json({ id: "said", object: "chat.completion", choices: [] });
    });
    await using served = await startWorkers(upstream.url);
    const { url } = served;
    const say = (id: string, content: string): Promise<Response> =>
      post(url, `/v1/sessions/${id}/chat/completions`, {
        model,
        messages: [{ role: "user", content }],
      });
    const asked = ids.map((id) =>
      say(id, "hold").then(
        (answer) => answer.status,
        () => 0,
      ),
    );
    await waitFor(() => upstream.requests.length === sessions, "every request at the upstream");
    const [frozen = 0] = await served.workerPids();
    process.kill(frozen, "SIGSTOP");
    try {
      // HAProxy cuts its callers off.
      const cut = await within(
        Promise.race(
          asked.map(async (status) =>
            (await status) === 200 ? new Promise<number>(() => {}) : status,
          ),
        ),
        "a caller that is cut off",
      );
      expect([0, 502]).toContain(cut);
      for (const id of ids)
        await waitFor(async () => (await say(id, "on")).status === 200, `${id} to go on`);
    } finally {
      process.kill(frozen, "SIGCONT");
      held.resolve();
    }
    const answered = (await Promise.all(asked)).filter((status) => status === 200);
    expect(answered.length).toBeLessThan(sessions);
    served.program.kill("SIGTERM");
    await served.program.exit();
    const rows = await served.storedRows();
    expect(rows).toHaveLength(answered.length + sessions);
  },
);

test.skipIf(isWithoutHaproxy)(
  "HAProxy is replaced when it dies",
  { concurrent: true },
  async () => {
    await using upstream = await startDemoUpstream();
    await using served = await startWorkers(upstream.url);
    process.kill(await served.balancerPid(), "SIGKILL");
    const isServed = async (): Promise<boolean> => {
      const { step_id } = await ask(sessionClient(served.url, "after"), "Hi");
      return step_id === 1;
    };
    await waitFor(() => isServed().catch(() => false), "an answer from the next HAProxy");
  },
);

test("without HAProxy the command says how to install it", async () => {
  await using folder = await temporaryFolder();
  await writeFile(
    join(folder.path, "gateway.yaml"),
    `storage_type: cloud
storage_config: { db_url: "postgres://localhost/none" }
llm_routes: { small: { base_url: "http://127.0.0.1:1/v1" } }
`,
  );
  const args = ["--config", "gateway.yaml", "--workers", "2"];
  const env = { PATH: folder.path };
  await using program = startGatewayProcess(args, { cwd: folder.path, env });
  expect((await program.exit()).code).toBe(3);
  expect(program.stderr).toContain("needs HAProxy");
  expect(program.stderr).toContain("apt-get install haproxy");
});

test.skipIf(isWithoutHaproxy)(
  "a worker that was starting during a reload serves the new routes",
  { concurrent: true },
  async () => {
    await using upstream = await startDemoUpstream();
    await using served = await startWorkers(upstream.url);
    await using database = await lockSchema(served.db_url);
    const [killed = 0] = await served.workerPids();
    process.kill(killed, "SIGKILL");
    // Its successor has read the configuration by then.
    await waitFor(database.isAwaited, "a worker that waits for the schema");
    const route = `{ base_url: "${upstream.url}" }`;
    await writeFile(served.configPath, served.config(`{ ${model}: ${route}, added: ${route} }`));
    served.program.kill("SIGHUP");
    await served.program.line(/SIGHUP: routes .*"added"/);
    await database.unlock();
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
  },
);

test.skipIf(isWithoutHaproxy)(
  "when the command is killed, its workers and HAProxy end by themselves",
  { concurrent: true },
  async () => {
    await using upstream = await startDemoUpstream();
    await using served = await startWorkers(upstream.url);
    await ask(sessionClient(served.url, "last"), "Hi");
    const workers = await served.workerPids();
    expect(workers).toHaveLength(2);
    const processes = [...workers, await served.balancerPid()];
    served.program.kill("SIGKILL");
    await served.program.exit();
    await waitFor(() => processes.every(isGone), "the ends of workers and HAProxy");
    expect(await served.storedRows()).toHaveLength(1);
  },
);

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
