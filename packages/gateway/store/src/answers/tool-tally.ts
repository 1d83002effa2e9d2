import type { SessionToolStep } from "../tool-step.ts";

/** How a tool was used. */
export interface ToolUse {
  readonly name: string;
  /** How many sessions called it. */
  readonly sessions: number;
  readonly calls: number;
  /** Calls whose result a later request of the session brought. */
  readonly results: number;
  /** Results that the agent marked as errors; null: no result came in an API in which it can. */
  readonly failed: number | null;
  /** Results whose time is known. */
  readonly timed: number;
  /**
   * Times from the answer with the call until the request with its result, in milliseconds. For tools that were
   * called together it is the time of all.
   */
  readonly total_ms: number;
  /** Null: no time is known. */
  readonly longest_ms: number | null;
}

interface OpenCall {
  readonly name: string;
  readonly answered_ms: number | null;
}

/** Finds the result of each call. Steps of several sessions may be mixed, those of one come in order. */
export class ToolTally {
  readonly #tools = new Map<string, ToolUse>();
  /** By session and call: models number the calls of each answer from the start, or not at all. */
  readonly #open = new Map<string, Map<string, readonly OpenCall[]>>();
  readonly #users = new Set<string>();

  add({ session_id, asked_ms, answered_ms, calls, results }: SessionToolStep): void {
    const open = this.#open.get(session_id) ?? new Map<string, readonly OpenCall[]>();
    this.#open.set(session_id, open);
    for (const [call_id, returned] of Map.groupBy(results, ({ call_id }) => call_id)) {
      const asked = open.get(call_id);
      if (asked === undefined) continue;
      open.delete(call_id);
      // A request that was stored whole has the results of earlier calls, too.
      for (const [index, { is_error }] of returned.slice(-asked.length).entries()) {
        const call = asked[index];
        if (call === undefined) continue;
        const since = call.answered_ms;
        const ms = asked_ms === null || since === null ? null : Math.max(asked_ms - since, 0);
        this.#count(call.name, {
          ...{ results: 1, failed: is_error === null ? null : Number(is_error) },
          ...{ timed: ms === null ? 0 : 1, total_ms: ms ?? 0, longest_ms: ms },
        });
      }
    }
    for (const [call_id, made] of Map.groupBy(calls, ({ call_id }) => call_id)) {
      open.set(
        call_id,
        made.map(({ name }) => ({ name, answered_ms })),
      );
      for (const { name } of made) {
        const user = JSON.stringify([session_id, name]);
        this.#count(name, { calls: 1, sessions: this.#users.has(user) ? 0 : 1 });
        this.#users.add(user);
      }
    }
  }

  tools(): readonly ToolUse[] {
    return [...this.#tools.values()];
  }

  #count(name: string, counted: Partial<ToolUse>): void {
    const before = this.#tools.get(name) ?? { ...nothing, name };
    this.#tools.set(name, sum(before, { ...nothing, ...counted, name }));
  }
}

const nothing = {
  ...{ sessions: 0, calls: 0, results: 0, failed: null },
  ...{ timed: 0, total_ms: 0, longest_ms: null },
};

/** Adds up what was counted in several pages of a job. */
export function totalTools(pages: Iterable<readonly ToolUse[]>): readonly ToolUse[] {
  const totals = new Map<string, ToolUse>();
  for (const page of pages)
    for (const tool of page) {
      const before = totals.get(tool.name);
      totals.set(tool.name, before === undefined ? tool : sum(before, tool));
    }
  return [...totals.values()];
}

const sum = (one: ToolUse, other: ToolUse): ToolUse => ({
  name: one.name,
  sessions: one.sessions + other.sessions,
  calls: one.calls + other.calls,
  results: one.results + other.results,
  failed: combined(one.failed, other.failed, (a, b) => a + b),
  timed: one.timed + other.timed,
  total_ms: one.total_ms + other.total_ms,
  longest_ms: combined(one.longest_ms, other.longest_ms, Math.max),
});

const combined = (
  one: number | null,
  other: number | null,
  of: (one: number, other: number) => number,
): number | null => (one === null ? other : other === null ? one : of(one, other));
