import type { StoredRow } from "@proj/session-store";
import { historyBytes } from "./added.ts";
import { factsOf } from "./step-facts.ts";

/** The earlier row that a row continues. */
export interface Base {
  readonly id: number;
  /** How many bytes of its history the row repeats. */
  readonly shared: number;
}

/** Reads the whole history of a row; null: it was not captured. */
export type ReadHistory = (row: StoredRow) => Promise<string | null>;

/** How many of an agent's latest calls to compare with, each of which ends another branch. */
const maxEnds = 4;
/** A longer history would hold up the page. */
const maxHistory = 8_000_000;
const utf8 = new TextEncoder();

/**
 * Finds the rows that continue others although the gateway stored them whole: short ones, one of 64 so that no
 * row is built on too many others, and those whose history it had forgotten, because it was started again or
 * many agents took turns. Histories are compared byte for byte.
 */
export class BaseFinder {
  readonly #rows = new Map<number, StoredRow>();
  /** The row that began each row's conversation. */
  readonly #roots = new Map<number, StoredRow>();
  /** Of each agent, the rows that no later one continues, the latest last. */
  readonly #ends = new Map<string, Map<number, StoredRow>>();

  /** @returns the base of a row that was stored whole; null: it has none, or was stored with one */
  async find(row: StoredRow, historyOf: ReadHistory): Promise<Base | null> {
    const { messages_base, messages_bytes } = row;
    if (messages_base !== null || messages_bytes === null || isNaming(row)) return null;
    let found: Base | null = null;
    const ends = [...(this.#ends.get(agentOf(row))?.values() ?? [])].slice(-maxEnds);
    let read: Promise<Uint8Array> | null = null;
    const bytes = (): Promise<Uint8Array> => {
      read ??= historyOf(row).then((history) => utf8.encode(history ?? ""));
      return read;
    };
    for (const end of ends.reverse()) {
      const base = await this.#baseIn(end, row, bytes, historyOf);
      if (base !== null && base.shared > (found?.shared ?? 0)) found = base;
      // Nothing can be longer than the whole history of the latest call.
      if (base?.id === end.id) break;
    }
    return found;
  }

  /** Adds a row that later ones may continue; in the order of their ids. */
  add(row: StoredRow): void {
    if (row.messages_bytes === null || isNaming(row)) return;
    const { id, messages_base: base } = row;
    const agent = agentOf(row);
    const ends = this.#ends.get(agent) ?? new Map<number, StoredRow>();
    if (base !== null) ends.delete(base);
    ends.set(id, row);
    this.#ends.set(agent, ends);
    this.#rows.set(id, row);
    const root = base === null ? row : this.#roots.get(base);
    if (root !== undefined) this.#roots.set(id, root);
  }

  async #baseIn(
    end: StoredRow,
    row: StoredRow,
    bytesOfRow: () => Promise<Uint8Array>,
    historyOf: ReadHistory,
  ): Promise<Base | null> {
    const root = this.#roots.get(end.id);
    // Most rows that continue nothing differ from the first history already, which is short.
    if (root === undefined || historyBytes(root) > historyBytes(row)) return null;
    if (Math.max(historyBytes(end), historyBytes(row)) > maxHistory) return null;
    const bytes = await bytesOfRow();
    const beginning = utf8.encode((await historyOf(root)) ?? "");
    if (sharedBytes(bytes, beginning) < unclosed(root)) return null;
    let shared = sharedBytes(bytes, utf8.encode((await historyOf(end)) ?? ""));
    for (let link: StoredRow | undefined = end; link !== undefined; ) {
      if (unclosed(link) <= shared) return { id: link.id, shared: unclosed(link) };
      // No more of what comes before it is in the row than in the link itself.
      shared = Math.min(shared, link.messages_shared ?? 0);
      link = this.#rows.get(link.messages_base ?? 0);
    }
    return null;
  }
}

/** The row as the gateway would have stored it on this base. */
export function rebased(row: StoredRow, { id, shared }: Base): StoredRow {
  const { messages, messages_bytes } = row;
  return {
    ...row,
    messages_base: id,
    messages_shared: shared,
    messages_bytes: messages_bytes === null ? null : messages_bytes - shared,
    messages: messages === null ? null : textAfter(messages, shared),
  };
}

/** Its bytes are not its whole history. */
const isNaming = (row: StoredRow): boolean => factsOf(row).continues !== null;

/** The length of a history up to its closing bracket. */
const unclosed = (row: StoredRow): number => historyBytes(row) - 1;

/** Equal for calls of which one may continue another. */
function agentOf(row: StoredRow): string {
  const { agent_id, side_call, endpoint } = factsOf(row);
  return JSON.stringify([agent_id, side_call, endpoint]);
}

function sharedBytes(one: Uint8Array, other: Uint8Array): number {
  const most = Math.min(one.length, other.length);
  let shared = 0;
  while (shared < most && one[shared] === other[shared]) shared += 1;
  return shared;
}

const textAfter = (text: string, bytes: number): string =>
  new TextDecoder().decode(utf8.encode(text).subarray(bytes));
