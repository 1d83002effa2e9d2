import { join } from "node:path";
import type { TelemetryConfig } from "@proj/gateway-protocol";
import { openStore, type SessionStore, type StepRow, type StoredStep } from "@proj/session-store";
import { temporaryFolder } from "@proj/test-kit";
import { onTestFinished } from "vitest";
import { Recorder } from "../../src/telemetry/recorder.ts";

/** What the recorder reported to its observer, in order. */
export interface RecorderEvents {
  /** The number of rows in each commit. */
  readonly commits: number[];
  readonly lost: { readonly session_id: string; readonly reason: string }[];
  retries: number;
  unavailable: number;
  recovered: number;
}

export interface OpenRecorder {
  readonly recorder: Recorder;
  readonly store: SessionStore;
  readonly events: RecorderEvents;
  readonly databasePath: string;
  /** Every stored step of `row`'s sessions, ordered by id. */
  stored(): Promise<readonly StoredStep[]>;
}

const defaults: TelemetryConfig = {
  mode: "strict",
  loss_policy: "fail_closed",
  capture_payload: "full",
  payload_sample_rate: 1,
  redact_sensitive_fields: true,
  capture_embeddings: false,
  batch_size: 200,
  flush_interval_ms: 100,
  queue_max_rows: 4096,
  queue_max_bytes: 268_435_456,
  write_timeout_s: 10,
};

/**
 * A recorder over its own real database; both are closed when the test has finished.
 * @param around wraps the store that the recorder uses
 */
export async function openRecorder(
  config: Partial<TelemetryConfig> = {},
  around: (store: SessionStore) => SessionStore = (store) => store,
): Promise<OpenRecorder> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const databasePath = join(folder.path, "steps.db");
  const store = await openStore({
    storage_type: "sqlite",
    storage_config: { db_url: `sqlite://${databasePath}` },
  });
  onTestFinished(() => store.close());
  const events: RecorderEvents = {
    commits: [],
    lost: [],
    retries: 0,
    unavailable: 0,
    recovered: 0,
  };
  const recorder = new Recorder(
    around(store),
    { ...defaults, ...config },
    {
      committed: (rows) => void events.commits.push(rows),
      lost: (session_id, _rows, reason) => void events.lost.push({ session_id, reason }),
      moved: () => {},
      retried: () => void events.retries++,
      unavailable: () => void events.unavailable++,
      recovered: () => void events.recovered++,
    },
  );
  onTestFinished(() => recorder.close(5_000));
  const stored = async () => (await store.readSteps({ session_id: "session", limit: 1_000 })).steps;
  return { recorder, store, events, databasePath, stored };
}

/** A store that equals another one except for these functions. */
export function storeWith(store: SessionStore, changed: Partial<SessionStore>): SessionStore {
  return {
    storage_type: store.storage_type,
    storage_id: store.storage_id,
    isShared: store.isShared,
    writeSteps: (rows, options) => store.writeSteps(rows, options),
    amendSteps: (amendments) => store.amendSteps(amendments),
    readResponses: (session_id) => store.readResponses(session_id),
    readConversations: (session_id) => store.readConversations(session_id),
    keepConversation: (session_id, conversation) =>
      store.keepConversation(session_id, conversation),
    bindSession: (session_id) => store.bindSession(session_id),
    readBinding: (session_id) => store.readBinding(session_id),
    forkSession: (fork) => store.forkSession(fork),
    readFork: (session_id) => store.readFork(session_id),
    closeSession: (session_id) => store.closeSession(session_id),
    reopenSession: (session_id) => store.reopenSession(session_id),
    readSession: (session_id) => store.readSession(session_id),
    findEnvironments: (session_ids) => store.findEnvironments(session_ids),
    readRoutes: () => store.readRoutes(),
    changeRoute: (change) => store.changeRoute(change),
    exchangeRoutes: (reports) => store.exchangeRoutes(reports),
    leaveRoutes: () => store.leaveRoutes(),
    readFeed: (query) => store.readFeed(query),
    readLatestSuccessStep: (of) => store.readLatestSuccessStep(of),
    readSteps: (query) => store.readSteps(query),
    check: () => store.check(),
    measure: () => store.measure(),
    ping: () => store.ping(),
    close: () => store.close(),
    ...changed,
  };
}

/** A step of the session `session`. */
export function row(step_id: number, changes: Partial<StepRow> = {}): StepRow {
  return {
    request_id: `request-${step_id}`,
    session_id: "session",
    model: "policy",
    step_id,
    epoch: null,
    status_code: 200,
    env_name: null,
    job_id: null,
    group_id: null,
    created_at: "2026-01-02T03:04:05.678Z",
    meta_json: JSON.stringify({ status_code: 200, outcome: "completed" }),
    request: Buffer.from('{"model":"policy","messages":null}'),
    response: Buffer.from('{"id":"answer"}'),
    messages: Buffer.from("[]"),
    history: null,
    ...changes,
  };
}

/** A row whose payload has this size. */
export function largeRow(step_id: number, bytes: number): StepRow {
  return row(step_id, { response: Buffer.from(JSON.stringify("x".repeat(bytes))) });
}
