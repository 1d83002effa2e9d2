import { databaseFile } from "@proj/database/sqlite";
import Database from "better-sqlite3";
import type { EnvironmentRow } from "../environment-row.ts";
import { defaultLargeValueBytes, foldPayloads, scopeOf } from "../large-values.ts";
import type { Score } from "../score.ts";
import type { StoredStep } from "../store.ts";
import { openSqliteJobStore } from "./open-sqlite-job-store.ts";
import { ValueWriter } from "./value-writer.ts";

/** A step that was stored elsewhere, whole. Without an `id` it gets a new one. */
export type CopiedStep = Omit<StoredStep, "id"> & Partial<Pick<StoredStep, "id">>;

/** A new database for readers, with rows that were stored elsewhere. Nothing is visible before `finish`. */
export interface SqliteCopy extends Disposable {
  /** Add each session's steps together, in order. */
  addStep(step: CopiedStep): void;
  addAttempt(attempt: EnvironmentRow): void;
  addScore(score: Score): void;
  finish(): void;
}

/** A history that the next step of its session may build on. */
interface Base {
  readonly id: number;
  readonly messages: Buffer;
  readonly request: string | null;
  readonly links: number;
}

/** Bases kept per session: an agent and its helpers take turns. */
const perSession = 4;
/** The longest chain of rows that build on each other: a reader goes back through all of them. */
const maxChain = 64;

const stepColumns = [
  ...["id", "request_id", "session_id", "model", "step_id", "status_code", "env_name", "job_id"],
  ...["group_id", "step_reward", "reward", "is_trainable", "is_terminal", "is_truncated"],
  ...["is_session_completed", "created_at", "messages_base", "messages_shared", "meta_json"],
  ...["request", "response", "messages"],
];
const attemptColumns = [
  ...["session_id", "job_id", "simulation_id", "attempt", "env_name", "group_id", "status"],
  ...["reward", "owner", "heartbeat_at", "created_at", "started_at", "finished_at"],
  ...["env_params", "result", "error"],
];
const scoreColumns = [
  ...["session_id", "name", "author", "repetition", "value", "label", "comment", "judged_in"],
  "created_at",
];

/**
 * Creates a database, or adds to one that no gateway has open.
 * @throws TypeError `db_url` names no file
 * @throws StoreUnavailableError
 */
export async function openSqliteCopy(db_url: string): Promise<SqliteCopy> {
  const schema = await openSqliteJobStore({ db_url });
  await schema.close();
  const database = new Database(databaseFile(db_url));
  // Nobody reads it yet: what a loss of power destroys is made again.
  database.pragma("synchronous = off");
  const step = database.prepare(insertInto("stored_steps", stepColumns));
  const values = new ValueWriter(database);
  const attempt = database.prepare(insertInto("job_environments", attemptColumns));
  const score = database.prepare(insertInto("scores", scoreColumns));
  let session_id = "";
  let bases: Base[] = [];
  database.exec("begin immediate");
  return {
    addStep(given) {
      if (given.session_id !== session_id) {
        session_id = given.session_id;
        bases = [];
      }
      const messages = given.messages === null ? null : Buffer.from(given.messages);
      const near = messages === null ? null : nearest(messages, bases);
      const isSameRequest = near !== null && near.base.request === given.request;
      const payloads = {
        request: isSameRequest ? null : asBytes(given.request),
        response: asBytes(given.response),
        messages: messages?.subarray(near?.shared ?? 0) ?? null,
      };
      const { rest, values: large } = foldPayloads(payloads, defaultLargeValueBytes);
      const scope = scopeOf(given);
      values.store(scope, large);
      const { lastInsertRowid } = step.run({
        ...given,
        id: given.id ?? null,
        is_trainable: Number(given.is_trainable),
        is_terminal: Number(given.is_terminal),
        is_truncated: Number(given.is_truncated),
        is_session_completed: Number(given.is_session_completed),
        messages_base: near?.base.id ?? null,
        messages_shared: near?.shared ?? null,
        request: asText(rest.request),
        response: asText(rest.response),
        messages: asText(rest.messages),
      });
      values.place(Number(lastInsertRowid), scope, large);
      if (messages === null) return;
      const links = (near?.base.links ?? -1) + 1;
      bases = bases.filter((base) => base !== near?.base).slice(1 - perSession);
      bases.push({ id: Number(lastInsertRowid), messages, request: given.request, links });
    },
    addAttempt(given) {
      attempt.run(given);
    },
    addScore(given) {
      score.run(given);
    },
    finish() {
      database.exec("commit");
      database.close();
    },
    [Symbol.dispose]: () => database.close(),
  };
}

const asBytes = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text));
const asText = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : Buffer.from(bytes).toString();

const insertInto = (table: string, columns: readonly string[]): string =>
  `insert into ${table} (${columns.join(", ")}) values (${columns.map((name) => `@${name}`).join(", ")})`;

/** The base that shares the most with these messages, if it shares its whole history or half of these messages. */
function nearest(messages: Buffer, bases: readonly Base[]) {
  let found: { readonly base: Base; readonly shared: number } | null = null;
  for (const base of bases) {
    if (base.links + 1 >= maxChain) continue;
    const shared = sharedBytes(base.messages, messages);
    const isEnough = shared >= base.messages.length - 1 || shared > messages.length / 2;
    if (isEnough && shared > (found?.shared ?? 0)) found = { base, shared };
  }
  return found;
}

/** How many bytes two histories share at the start, without the first one's closing bracket. */
function sharedBytes(one: Buffer, other: Buffer): number {
  let equal = 0;
  for (let most = Math.min(one.length - 1, other.length - 1); equal < most; ) {
    const middle = Math.ceil((equal + most) / 2);
    if (one.compare(other, equal, middle, equal, middle) === 0) equal = middle;
    else most = middle - 1;
  }
  // Never cut inside a character.
  while (equal > 0 && ((other[equal] ?? 0) & 0xc0) === 0x80) equal -= 1;
  return equal;
}
