import { setTimeout as delay } from "node:timers/promises";
import {
  hasHaproxy,
  startBalancer,
  startDemoUpstream,
  temporaryFolder,
  waitFor,
} from "@proj/test-kit";
import { startPostgresServer } from "@proj/test-kit/postgres";
import { Client } from "pg";
import { GatewayProcess } from "./gateway-process.ts";
import { holesOf, repeated, stepKey } from "./stored-rows.ts";
import type { Storm } from "./storm.ts";

const sessions = 60;
const gatewayCount = 3;
const answersBetweenKills = 150;
/** As patient as an SDK with `maxRetries: 8`. */
const attempts = 9;

interface Answered {
  readonly session_id: string;
  readonly model: string;
  readonly step_id: number;
  readonly answer_id: string;
}

/** What all callers saw together. */
interface Log {
  readonly answered: Answered[];
  /** Steps that callers gave up. */
  readonly gaveUp: string[];
  inFlight: number;
  longestWaitMs: number;
}

/** Repeatedly kills one of several gateways behind HAProxy: no answer is lost, and no number is used twice. */
export const balancerStorm: Storm = {
  name: "balancer",
  reasonMissing: () => (hasHaproxy() ? null : "haproxy is not installed"),
  run: async ({ kills }, report) => {
    await using parts = new AsyncDisposableStack();
    const upstream = parts.use(await startDemoUpstream({ delayMs: 20, tokenDelayMs: 1 }));
    const database = parts.use(await startPostgresServer());
    const gateways: GatewayProcess[] = [];
    for (let number = 0; number < gatewayCount; number += 1) {
      const folder = parts.use(await temporaryFolder());
      const config = {
        ...{ storage_type: "cloud", storage_config: { db_url: database.url } },
        llm_routes: { policy: { base_url: upstream.url } },
      };
      gateways.push(parts.use(await GatewayProcess.start(folder.path, config)));
    }
    const balancer = parts.use(await startBalancer(gateways.map(({ url }) => url)));
    const log: Log = { answered: [], gaveUp: [], inFlight: 0, longestWaitMs: 0 };
    const ending = new AbortController();
    const ids = Array.from({ length: sessions }, (_, number) => `balanced:${number}`);
    const agents = Promise.all(
      ids.map((id, number) => agent(balancer.url, id, number % 3 === 0, ending.signal, log)),
    );
    let cutOff = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const before = log.answered.length;
      await waitFor(() => log.answered.length >= before + answersBetweenKills, "answers", 120_000);
      const gateway = gateways[kill % gatewayCount];
      cutOff += log.inFlight;
      await gateway?.kill();
      await delay(500);
      await gateway?.restart();
    }
    const before = log.answered.length;
    await waitFor(() => log.answered.length >= before + answersBetweenKills, "answers", 120_000);
    ending.abort();
    await agents;
    const closed = await Promise.all(ids.map((id) => close(balancer.url, id)));
    const held = await Promise.all(gateways.map((gateway) => gateway.atRest()));
    report.equal(
      "every gauge of every gateway is at zero",
      held,
      gateways.map(() => ({})),
    );
    report.none(
      "every session closes",
      closed.filter((status) => status !== "closed"),
    );

    const rows = await readRows(database.url);
    const stored = new Map(rows.map((row) => [stepKey(row), row]));
    report.none("no caller gave up", log.gaveUp);
    report.none("no answer has the number of another", repeated(log.answered.map(stepKey)));
    report.none("no step has two rows", repeated(rows.map(stepKey)));
    report.none(
      "every answer is stored under its number",
      log.answered.filter((it) => {
        const row = stored.get(stepKey(it));
        return row?.status_code !== 200 || row.answer_id !== it.answer_id;
      }),
    );
    const { pairs, holes } = holesOf(rows);
    report.equal(
      "no more numbers are missing than requests were cut off",
      holes.length <= cutOff,
      true,
    );
    report.figure("gateways", gatewayCount);
    report.figure("kills", kills);
    report.figure("answers", log.answered.length);
    report.figure("rows", rows.length);
    report.figure("doubles", rows.length - stored.size);
    report.figure(
      "holes",
      `${holes.length} in ${pairs} sessions, for ${cutOff} requests in flight at kills`,
    );
    report.figure("longest time without an answer in s", (log.longestWaitMs / 1_000).toFixed(1));
  },
};

/** Asks one question after the other until told to end; each is retried as an SDK does. */
async function agent(
  url: string,
  session_id: string,
  stream: boolean,
  signal: AbortSignal,
  log: Log,
): Promise<void> {
  for (let number = 0; !signal.aborted; number += 1) {
    const began = performance.now();
    const question = `${session_id} asks ${number}`;
    let answered: Answered | null = null;
    for (let attempt = 0; answered === null && attempt < attempts; attempt += 1) {
      if (attempt > 0) await delay(Math.min(100 * 2 ** attempt, 2_000));
      log.inFlight += 1;
      answered = await ask(url, session_id, question, stream).catch(() => null);
      log.inFlight -= 1;
    }
    if (answered === null) log.gaveUp.push(question);
    else log.answered.push(answered);
    log.longestWaitMs = Math.max(log.longestWaitMs, performance.now() - began);
  }
}

/** @throws Error there was no complete success */
async function ask(
  url: string,
  session_id: string,
  content: string,
  stream: boolean,
): Promise<Answered> {
  const response = await fetch(`${url}/v1/sessions/${session_id}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "policy", stream, messages: [{ role: "user", content }] }),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  if (response.status !== 200 || (stream && !text.endsWith("data: [DONE]\n\n")))
    throw new Error(`${response.status} ${text}`);
  const document = stream ? text.slice("data: ".length, text.indexOf("\n\n")) : text;
  const step_id = Number(response.headers.get("x-gateway-step-id"));
  return { session_id, model: "policy", step_id, answer_id: JSON.parse(document).id };
}

async function close(url: string, session_id: string): Promise<string> {
  const response = await fetch(`${url}/v1/sessions/${session_id}/close?wait=30`, {
    method: "POST",
  });
  return ((await response.json()) as { status: string }).status;
}

async function readRows(db_url: string): Promise<(Answered & { readonly status_code: number })[]> {
  const client = new Client({ connectionString: db_url });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select session_id, model, step_id, status_code, response::json ->> 'id' as answer_id
       from session_steps order by id`,
    );
    return rows;
  } finally {
    await client.end();
  }
}
