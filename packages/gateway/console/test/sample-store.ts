import { readFileSync } from "node:fs";
import {
  type BrowsableStore,
  type NewScore,
  openSqliteStore,
  type StepRow,
} from "@proj/session-store";
import { temporaryFolder } from "@proj/test-kit";
import Database from "better-sqlite3";

/** A database as the gateway and the launcher write it, with what it takes to write more. */
export interface SampleStore extends AsyncDisposable {
  readonly db_url: string;
  readonly store: BrowsableStore;
  /** Stores a conversation: each turn adds its messages. */
  converse(session_id: string, turns: readonly Turn[], job?: SampleJob): Promise<void>;
  /** Stores one attempt of a simulation. */
  attempt(attempt: SampleAttempt): void;
  /** Stores what somebody said about a session that is an attempt. */
  score(score: Pick<NewScore, "session_id" | "name" | "author" | "value" | "comment">): void;
}

export interface Turn {
  /** What the request adds to those before. */
  readonly added: readonly object[];
  /** The assistant's message; null: the step failed. */
  readonly answer: object | null;
  /** The turn that it continues; null: it starts a conversation. @default the one before */
  readonly from?: number | null;
  /** How many messages of that turn's request it keeps. @default all of them */
  readonly keeps?: number;
  readonly changes?: Partial<StepRow>;
  readonly meta?: object;
}

export interface SampleJob {
  readonly job_id: string;
  readonly group_id: string | null;
}

export interface SampleAttempt extends SampleJob {
  readonly session_id: string;
  readonly simulation_id: string;
  readonly status: "finished" | "failed" | "infrastructure" | "running";
  /** @default 1 */
  readonly attempt?: number;
  readonly reward: number | null;
  readonly error: string | null;
  /** As JSON. @default none */
  readonly result?: string;
}

/** The row that the next one continues, and its messages as JSON. */
interface Base {
  readonly id: number;
  readonly request_id: string;
  readonly texts: readonly string[];
}

const begun = Date.parse("2026-01-02T03:04:05.000Z");
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const iso = (ms: number): string => new Date(begun + ms).toISOString();

export async function sampleStore(): Promise<SampleStore> {
  const folder = await temporaryFolder();
  const file = `${folder.path}/gateway.db`;
  const store = await openSqliteStore({ db_url: `sqlite://${file}` });
  const beside = new Database(file, { timeout: 30_000 });
  let requests = 0;
  return {
    db_url: `sqlite://${file}`,
    store,
    async converse(session_id, turns, job) {
      const bases: (Base | null)[] = [];
      for (const [index, { added, answer, from, keeps, changes, meta }] of turns.entries()) {
        const before = (from === null ? null : bases[from ?? index - 1]) ?? null;
        const kept: readonly string[] = before?.texts.slice(0, keeps) ?? [];
        const texts = [...kept, ...added.map((message) => JSON.stringify(message))];
        const history = historyOf(texts);
        const shared = before === null ? 0 : sharedBytes(history, historyOf(before.texts));
        requests += 1;
        const isFailed = answer === null;
        const [written] = await store.writeSteps(
          [
            {
              request_id: `request-${requests}`,
              session_id,
              model: "policy",
              step_id: index + 1,
              epoch: null,
              status_code: isFailed ? 502 : 200,
              env_name: null,
              job_id: job?.job_id ?? null,
              group_id: job?.group_id ?? null,
              created_at: iso(requests * 1_000),
              meta_json: JSON.stringify({
                endpoint: "chat_completions",
                outcome: isFailed ? "upstream_error" : "completed",
                error: isFailed ? "The upstream is overloaded." : null,
                finish_reason: isFailed ? null : "stop",
                prompt_tokens: Math.ceil(history.length / 4),
                completion_tokens: 20,
                queue_ms: 4,
                ttft_ms: 120,
                upstream_ms: 480,
                started_at: iso(requests * 1_000 - 500),
                ...meta,
              }),
              request: before === null ? utf8('{"model":"policy","messages":null}') : null,
              response: isFailed
                ? null
                : utf8(JSON.stringify({ choices: [{ index: 0, message: answer }] })),
              messages: history.subarray(shared),
              history:
                before === null
                  ? null
                  : {
                      messages_base: before.id,
                      base_request_id: before.request_id,
                      messages_shared: shared,
                    },
              ...changes,
            },
          ],
          { deadline: Number.POSITIVE_INFINITY },
        );
        const isStoredAsGiven = changes === undefined || !("messages" in changes);
        bases.push(
          isStoredAsGiven
            ? { id: written?.id ?? 0, request_id: written?.request_id ?? "", texts }
            : before,
        );
      }
    },
    attempt({ session_id, job_id, group_id, simulation_id, attempt = 1, status, ...end }) {
      const { reward, error, result = null } = end;
      beside
        .prepare(
          `insert into job_environments (session_id, job_id, simulation_id, attempt, group_id, status,
             reward, error, result, created_at, started_at, finished_at, env_params)
             values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '{"task":"the clock shows 60"}')`,
        )
        .run(
          session_id,
          job_id,
          simulation_id,
          attempt,
          group_id,
          status,
          reward,
          error,
          result,
          iso(0),
          iso(0),
          status === "running" ? null : iso(9_000),
        );
    },
    score(score) {
      beside
        .prepare(
          `insert into scores (session_id, name, author, repetition, value, comment, created_at)
             values (:session_id, :name, :author, 1, :value, :comment, :created_at)`,
        )
        .run({ ...score, created_at: iso(10_000) });
    },
    async [Symbol.asyncDispose]() {
      beside.close();
      await store.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const historyOf = (texts: readonly string[]): Uint8Array => utf8(`[${texts.join()}]`);

/** How far a history repeats the one before it; its closing bracket is never shared. */
function sharedBytes(history: Uint8Array, before: Uint8Array): number {
  const differs = before.findIndex((byte, at) => byte !== history[at]);
  return differs < 0 ? before.length - 1 : differs;
}

/** A small but real picture. */
export const pixel: string = `data:image/png;base64,${readFileSync(new URL("pixel.png", import.meta.url)).toString("base64")}`;
