import type { Hash } from "node:crypto";
import { beginsLike, type Endpoint, type RequestBody, sharedEnd } from "@proj/model-apis";
import { isContinuation } from "@proj/model-apis/json";
import type { BodyMemory } from "../call/body-memory.ts";

/** A body whose row is stored with its payload: the session's next body may continue it. */
export interface History {
  /** Its `bytes` are empty once a longer history has taken its place: nothing may read them after an `await`. */
  readonly body: RequestBody;
  readonly memory: BodyMemory;
  readonly endpoint: Endpoint;
  /** The row's `id`. */
  readonly row_id: number;
  readonly request_id: string;
  /** Length of the chain of rows that this row is built on. */
  readonly links: number;
  /** SHA-256 of the body up to the end of its last message, to be continued. */
  readonly digest: Hash;
}

/** A row that another may be built on. */
export interface HistoryBase {
  readonly history: History;
  /** Length of the bodies' common beginning in bytes. */
  readonly shared: number;
}

const defaultLimitBytes = 256 * 1024 * 1024;
/** Kept per session: an agent and its helpers take turns. */
const perSession = 4;

/** The latest bodies of each session, bounded in bytes: those of the longest idle session go first. */
export class Histories {
  readonly #limitBytes: number;
  readonly #sessions = new Map<string, History[]>();
  #bytes = 0;

  constructor(limitBytes: number = defaultLimitBytes) {
    this.#limitBytes = limitBytes;
  }

  /** The longest history that a body continues; null if there is none. */
  find(session_id: string, endpoint: Endpoint, bytes: Buffer): History | null {
    let longest: History | null = null;
    for (const history of this.#sessions.get(session_id) ?? []) {
      if (history.endpoint !== endpoint) continue;
      if (longest !== null && sharedEnd(history.body) <= sharedEnd(longest.body)) continue;
      if (beginsLike(bytes, history.body)) longest = history;
    }
    return longest;
  }

  /**
   * The history that shares most with a body, wherever they differ: it may have been edited, cut or
   * restarted. Null if that is less than half of its messages.
   */
  nearest(session_id: string, endpoint: Endpoint, body: RequestBody): HistoryBase | null {
    const { bytes, model, messages_start, messages_end } = body;
    let nearest: HistoryBase | null = null;
    let most = messages_start + (messages_end - messages_start) / 2;
    for (const history of this.#sessions.get(session_id) ?? []) {
      if (history.endpoint !== endpoint || history.body.model !== model) continue;
      const shared = sharedBytes(bytes, history.body.bytes);
      if (shared <= most) continue;
      most = shared;
      nearest = { history, shared };
    }
    return nearest;
  }

  /**
   * Keeps the body, and its memory.
   * @param former the history that this one continues, and replaces
   */
  keep(session_id: string, history: History, former: History | null): void {
    const kept = this.#sessions.get(session_id) ?? [];
    const place = former === null ? -1 : kept.indexOf(former);
    if (place < 0 && kept.length === perSession) this.#drop(kept.shift());
    if (place >= 0) this.#drop(kept.splice(place, 1)[0]);
    history.memory.hold();
    this.#bytes += history.memory.size;
    kept.push(history);
    // Moves it to the end of the map, which is ordered by use.
    this.#sessions.delete(session_id);
    this.#sessions.set(session_id, kept);
    for (const idle of this.#sessions.keys()) {
      if (this.#bytes <= this.#limitBytes) break;
      this.forget(idle);
    }
  }

  forget(session_id: string): void {
    for (const history of this.#sessions.get(session_id) ?? []) this.#drop(history);
    this.#sessions.delete(session_id);
  }

  #drop(history: History | undefined): void {
    if (history === undefined) return;
    this.#bytes -= history.memory.size;
    history.memory.release();
  }
}

/** Length of two UTF-8 texts' common beginning in bytes; a character counts only if it is whole in both. */
export function sharedBytes(one: Buffer, other: Buffer): number {
  let equal = 0;
  let unknown = Math.min(one.length, other.length);
  // The native comparison does not say where they differ, but it is fast enough for a binary search.
  while (equal < unknown) {
    const middle = (equal + unknown + 1) >>> 1;
    if (one.compare(other, equal, middle, equal, middle) === 0) equal = middle;
    else unknown = middle - 1;
  }
  while (equal > 0 && (isContinuation(one[equal]) || isContinuation(other[equal]))) equal -= 1;
  return equal;
}
