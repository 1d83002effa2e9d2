import { setTimeout as delay } from "node:timers/promises";
import {
  answerAsPlanned,
  parseRawAnswer,
  planStorm,
  type RawAnswer,
  rawRequest,
  type StormPlan,
  startFaultyUpstream,
  temporaryFolder,
  waitFor,
} from "@proj/test-kit";
import { atOnce } from "./at-once.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { databaseFile, holesOf, readRows, repeated, type StoredRow } from "./stored-rows.ts";
import type { Storm } from "./storm.ts";

const sessions = 200;
const callers = 150;
const places = 32;
const models = ["left", "right"] as const;
const maxMs = 60_000;

/** Half of the callers stay; beside the plan's ways of leaving, some send half a body and leave, or only half-close. */
type Way = (typeof ways)[number];
const ways = [
  ...["stays", "as planned", "stays", "half a body", "stays", "as planned", "stays"],
  ...["half-closed", "stays", "as planned"],
] as const;

interface Call {
  readonly plan: StormPlan;
  readonly model: string;
  readonly way: Way;
}

/** The outcome of a call; null: its caller left; "stuck": it never ended. */
type Outcome = RawAnswer | null | "stuck";

/** Requests of all kinds, more than half of them cancelled at some moment, and an upstream that fails in every way. */
export const cancelStorm: Storm = {
  name: "cancel",
  reasonMissing: () => null,
  run: async ({ requests, seed }, report) => {
    await using folder = await temporaryFolder();
    const plans = new Map(planStorm(seed, requests, sessions).map((plan) => [plan.id, plan]));
    const seen = new Map<string, PromiseWithResolvers<void>>();
    await using upstream = await startFaultyUpstream(async (request, reply) => {
      const id = request.headers["x-storm"] ?? "";
      const plan = plans.get(id);
      if (plan === undefined) return;
      signal(seen, id).resolve();
      await answerAsPlanned(plan)(request, reply);
    });
    const endpoints = ["chat_completions", "responses", "messages"];
    const route = { base_url: upstream.url, max_concurrency: places, endpoints };
    await using gateway = await GatewayProcess.start(folder.path, {
      storage_config: { db_url: `sqlite://${databaseFile}` },
      llm_routes: Object.fromEntries(models.map((model) => [model, route])),
      timeouts: { first_byte_s: 1, idle_s: 0.5 },
    });
    const calls = [...plans.values()].map(
      (plan, index): Call => ({
        plan,
        model: models[index % 2] ?? "left",
        way: ways[index % ways.length] ?? "stays",
      }),
    );
    const outcomes = new Map<string, Outcome>();
    const memory: number[] = [];
    await atOnce(calls, callers, async (call, index) => {
      outcomes.set(
        call.plan.id,
        await make(gateway.port, call, signal(seen, call.plan.id).promise),
      );
      if (index % Math.ceil(requests / 4) === 0) memory.push(await gateway.memory());
    });

    report.none(
      "no caller is stuck",
      calls.filter(({ plan }) => outcomes.get(plan.id) === "stuck"),
    );
    report.equal("every gauge is at zero", await gateway.atRest(), {});
    report.equal("each route serves as many at once as it may", await burst(gateway, upstream), 64);
    report.equal("SIGTERM ends it with 0", await gateway.stop(), 0);
    const { rows: all, integrity } = readRows(folder.path);
    const rows = all.filter(({ session_id }) => session_id.startsWith("storm-"));
    report.equal("the database is sound", integrity, "ok");
    const stored = new Map(rows.map((row) => [idOf(row), row]));
    report.none("no request has two rows", repeated(rows.map(idOf)));
    report.none("no request_id comes twice", repeated(rows.map(({ request_id }) => request_id)));
    const { pairs, holes } = holesOf(rows);
    report.none("no step number is missing", holes);
    const bound = calls.filter(({ plan }) => plan.session_id !== null);
    const isSeen = new Set(upstream.requests.map(({ headers }) => headers["x-storm"]));
    report.none(
      "every request that was forwarded has its row",
      bound.filter((call) => isSeen.has(call.plan.id) && !stored.has(call.plan.id)),
    );
    const wrong = bound.filter(({ plan, way }) => {
      const outcome = outcomes.get(plan.id) ?? null;
      if (outcome === null || outcome === "stuck") return false;
      // A caller that half-closes may be taken for one that left.
      if (outcome.status === null) return way !== "half-closed";
      return !agrees(outcome, stored.get(plan.id));
    });
    report.none("what a caller got is what its row says", wrong);
    const statuses = [...new Set(rows.map(({ status_code }) => status_code))].sort();
    report.equal("it was a storm", statuses, [200, 429, 499, 500, 502, 504]);

    const whole = [...outcomes.values()].filter(
      (it) => it !== null && it !== "stuck" && isWholeSuccess(it),
    );
    report.figure("requests", requests);
    report.figure("whole answers", whole.length);
    report.figure("rows", rows.length);
    report.figure("doubles", rows.length - stored.size);
    report.figure("holes", `${holes.length} in ${pairs} pairs`);
    report.figure("memory in MB", memory.map(Math.round).join(" "));
  },
};

function signal(
  signals: Map<string, PromiseWithResolvers<void>>,
  id: string,
): PromiseWithResolvers<void> {
  const known = signals.get(id) ?? Promise.withResolvers<void>();
  signals.set(id, known);
  return known;
}

async function make(
  port: number,
  { plan, model, way }: Call,
  seen: Promise<void>,
): Promise<Outcome> {
  const { id, session_id, endpoint, stream, leave } = plan;
  const path = session_id === null ? `/v1/${endpoint}` : `/v1/sessions/${session_id}/${endpoint}`;
  const said =
    endpoint === "responses" ? { input: id } : { messages: [{ role: "user", content: id }] };
  const body = JSON.stringify({ model, stream, ...said });
  const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx-storm: ${id}\r\ncontent-length: ${body.length}\r\n\r\n`;
  await using connection = await rawRequest(port);
  if (way === "half a body") {
    await connection.write(head + body.slice(0, body.length / 2));
    await delay(leave?.after ?? 5);
    connection[leave?.by ?? "destroy"]();
    return null;
  }
  await connection.write(head + body);
  if (way === "half-closed") connection.end();
  const closed = connection.readUntilClosed(maxMs).then(
    (bytes) => parseRawAnswer(bytes.toString("latin1")),
    () => "stuck" as const,
  );
  if (leave === null || way === "half-closed" || way === "stays") return await closed;
  const moments = {
    "once sent": async () => {},
    "a moment later": () => delay(leave.after),
    "at the upstream": () => seen,
    "at its first byte": () =>
      waitFor(() => connection.received.length > 0, "a byte", maxMs).catch(() => {}),
    // Somewhere after the first byte: the upstream's end is not the caller's.
    "at the end": () => seen.then(() => delay(leave.after)),
  };
  await Promise.race([moments[leave.at](), closed]);
  connection[leave.by]();
  return null;
}

/** Requests of both routes that are at the upstream at once. */
async function burst(
  gateway: GatewayProcess,
  upstream: Awaited<ReturnType<typeof startFaultyUpstream>>,
): Promise<number> {
  const before = upstream.requests.length;
  const asked = Array.from({ length: 2 * places }, (_, index) =>
    fetch(`${gateway.url}/v1/sessions/burst-${index}/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ model: models[index % 2], messages: [] }),
    }),
  );
  for (const answer of asked) answer.catch(() => {});
  const arrived = (): number => upstream.requests.length - before;
  await waitFor(() => arrived() === asked.length, "the burst at the upstream", maxMs).catch(
    () => {},
  );
  for (const { reply } of upstream.requests.slice(before)) await reply.json({ choices: [] });
  await Promise.allSettled(asked);
  return arrived();
}

const idOf = ({ messages }: StoredRow): string => /storm-\d+-\d+/.exec(messages ?? "")?.[0] ?? "";

function isWholeSuccess({ status, whole, body, headers }: RawAnswer): boolean {
  if (status !== 200 || !whole) return false;
  return (
    !headers.includes("text/event-stream") || /\[DONE\]|response\.completed|message_stop/.test(body)
  );
}

/** A complete answer is stored with its status, a plain success byte for byte; a broken one is not a success. */
function agrees(answer: RawAnswer, row: StoredRow | undefined): boolean {
  if (row === undefined) return answer.status !== 200;
  if (answer.status === 200 && !isWholeSuccess(answer)) return row.status_code !== 200;
  if (answer.status !== row.status_code) return false;
  const isPlain = !answer.headers.includes("text/event-stream");
  const text = Buffer.from(answer.body, "latin1").toString();
  return answer.status !== 200 || !isPlain || row.response === text;
}
