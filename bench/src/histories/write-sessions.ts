import { statSync } from "node:fs";
import { monotonicMs, openStore, type SessionStore, type StepRow } from "@proj/session-store";
import { buildHistory, HISTORY_SUFFIX, type History } from "../load/growing-history.ts";

export interface SessionSpec {
  readonly sessions: number;
  /** Bytes of the first and the last history. */
  readonly fromBytes: number;
  readonly toBytes: number;
  /** Whether rows hold only what is new, or everything. */
  readonly once: boolean;
}

export interface WrittenSessions {
  readonly store: SessionStore;
  readonly session_ids: readonly string[];
  /** Ids of the last step but one of each session. */
  readonly lastButOne: readonly number[];
  readonly rows: number;
  /** Size on disk, with nothing left in the WAL. */
  readonly bytes: number;
}

const RESPONSE: Buffer = Buffer.from(JSON.stringify({ choices: [{ text: "x".repeat(600) }] }));

/** Fills a database with sessions whose histories grow by two messages of 1 to 2 KB at each step. */
export async function writeSessions(file: string, spec: SessionSpec): Promise<WrittenSessions> {
  const db_url = `sqlite://${file}`;
  const storage = {
    storage_type: "sqlite",
    storage_config: { db_url, synchronous: "normal" },
  } as const;
  const writer = await openStore(storage);
  const histories = Array.from({ length: spec.sessions }, (_, seed) =>
    buildHistory(seed + 1, spec.fromBytes, spec.toBytes),
  );
  const steps = Math.min(...histories.map(({ ends }) => ends.length));
  let ids: readonly (number | null)[] = [];
  let lastButOne: readonly number[] = [];
  for (let step = 0; step < steps; step++) {
    const rows = histories.map((history, session) =>
      rowOf(history, session, step, spec.once ? (ids[session] ?? null) : null),
    );
    lastButOne = ids.map((id) => id ?? 0);
    const written = await writer.writeSteps(rows, { deadline: monotonicMs() + 60_000 });
    ids = written.map(({ id }) => id);
  }
  await writer.close();
  const { size } = statSync(file);
  return {
    store: await openStore(storage),
    session_ids: histories.map((_, session) => `session-${session}`),
    lastButOne,
    rows: steps * spec.sessions,
    bytes: size,
  };
}

const requestId = (session: number, step: number): string =>
  `${session}-${String(step).padStart(6, "0")}`;

function rowOf(history: History, session: number, step: number, base: number | null): StepRow {
  const isWhole = base === null || step % 65 === 0;
  const start = history.bytes.indexOf("[");
  const shared = isWhole ? start : (history.ends[step - 1] ?? start);
  const end = history.ends[step] ?? history.bytes.length;
  return {
    request_id: requestId(session, step),
    session_id: `session-${session}`,
    model: "bench-model",
    step_id: step + 1,
    epoch: null,
    status_code: 200,
    env_name: null,
    job_id: null,
    group_id: null,
    created_at: new Date().toISOString(),
    meta_json: JSON.stringify({
      status_code: 200,
      body_sha256: "0".repeat(64),
      x: "x".repeat(600),
    }),
    request: isWhole ? HISTORY_SUFFIX : null,
    response: RESPONSE,
    messages: Buffer.concat([history.bytes.subarray(shared, end), Buffer.from("]")]),
    history:
      isWhole || base === null
        ? null
        : {
            messages_base: base,
            base_request_id: requestId(session, step - 1),
            messages_shared: shared - start,
          },
  };
}
