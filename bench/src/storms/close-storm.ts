import { setTimeout as delay } from "node:timers/promises";
import { startDemoUpstream, temporaryFolder } from "@proj/test-kit";
import { atOnce } from "./at-once.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { databaseFile, holesOf, readRows, stepKey } from "./stored-rows.ts";
import type { Storm } from "./storm.ts";

const racesAtOnce = 16;
const requestsOfRace = 6;

interface Race {
  readonly session_id: string;
  /** Step numbers of complete successes. */
  readonly answered: readonly number[];
  readonly closed: string;
  /** Statuses of requests that were sent after the close was answered. */
  readonly after: readonly number[];
  readonly others: readonly number[];
  readonly latest: number | null;
  readonly isCleaned: boolean;
}

/** A close races with its session's requests: its answer holds for everything that comes later. */
export const closeStorm: Storm = {
  name: "close",
  reasonMissing: () => null,
  run: async ({ races, seed }, report) => {
    await using folder = await temporaryFolder();
    await using upstream = await startDemoUpstream({ delayMs: 5, tokenDelayMs: 1 });
    await using gateway = await GatewayProcess.start(folder.path, {
      storage_config: { db_url: `sqlite://${databaseFile}` },
      llm_routes: { policy: { base_url: upstream.url } },
    });
    const run: Race[] = [];
    const ids = Array.from({ length: races }, (_, number) => `close-${seed}-${number}`);
    await atOnce(ids, racesAtOnce, async (session_id, index) => {
      run.push(await race(gateway.url, session_id, (index * 7) % 23));
    });
    report.equal("every gauge is at zero", await gateway.atRest(), {});
    report.equal("SIGTERM ends it with 0", await gateway.stop(), 0);

    const { rows, integrity } = readRows(folder.path);
    const successes = rows.filter(({ status_code }) => status_code === 200);
    const stored = new Set(successes.map(stepKey));
    report.equal("the database is sound", integrity, "ok");
    report.none(
      "every close ends closed",
      run.filter(({ closed }) => closed !== "closed"),
    );
    report.none(
      "nothing is admitted after the answer to a close",
      run.filter(({ after }) => after.some((status) => status !== 400)),
    );
    report.none(
      "late callers get 400, all others an answer",
      run.filter(({ others }) => others.some((status) => status !== 200 && status !== 400)),
    );
    const keyed = run.flatMap(({ session_id, answered }) =>
      answered.map((step_id) => stepKey({ session_id, model: "policy", step_id })),
    );
    report.none(
      "every answer is stored",
      keyed.filter((key) => !stored.has(key)),
    );
    report.equal("and nothing else is a success", successes.length, keyed.length);
    report.none(
      "the latest success is the largest",
      run.filter(
        ({ answered, latest }) => latest !== (answered.toSorted((a, b) => b - a)[0] ?? null),
      ),
    );
    report.none("no step number is missing", holesOf(rows).holes);
    report.none(
      "every session is cleaned once",
      run.filter(({ isCleaned }) => !isCleaned),
    );
    report.figure("races", races);
    report.figure("answers", keyed.length);
    report.figure("rows", rows.length);
    report.figure(
      "refused with 400",
      run.flatMap(({ others }) => others).filter((it) => it === 400).length,
    );
    report.figure(
      "admitted after a close",
      run.flatMap(({ after }) => after).filter((it) => it !== 400).length,
    );
  },
};

async function race(url: string, session_id: string, closeAfterMs: number): Promise<Race> {
  const session = `${url}/v1/sessions/${session_id}`;
  const answered: number[] = [];
  const ask = async (stream: boolean): Promise<number> => {
    const response = await fetch(`${session}/chat/completions`, {
      method: "POST",
      body: JSON.stringify({
        model: "policy",
        stream,
        messages: [{ role: "user", content: "2 + 3" }],
      }),
    });
    const text = await response.text();
    const isWhole = !stream || text.endsWith("data: [DONE]\n\n");
    if (response.status === 200 && isWhole)
      answered.push(Number(response.headers.get("x-gateway-step-id")));
    return response.status === 200 && !isWhole ? 0 : response.status;
  };
  const asked = Array.from({ length: requestsOfRace }, async (_, number) => {
    await delay(number * 4);
    return ask(number % 2 === 1);
  });
  await delay(closeAfterMs);
  const closing = await fetch(`${session}/close?wait=30`, { method: "POST" });
  const { status } = (await closing.json()) as { status: string };
  const after = await Promise.all([ask(false), ask(true)]);
  const others = await Promise.all(asked);
  const largest = await fetch(`${session}/latest-success-step?model=policy`);
  const { step_id } = (await largest.json()) as { step_id: number | null };
  const cleaning = await fetch(`${session}/clean`, { method: "POST" });
  const { cleaned } = (await cleaning.json()) as { cleaned: boolean };
  return {
    ...{ session_id, answered, closed: status, after, others, latest: step_id },
    isCleaned: cleaned,
  };
}
