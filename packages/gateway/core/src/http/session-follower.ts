import type { RunningCall } from "../call/stage.ts";
import { statusBody } from "../session/status-body.ts";
import type { ControlDependencies } from "./control-dependencies.ts";
import { rowsForAgent } from "./row-for-agent.ts";

export interface Followed {
  readonly session_id: string;
  /** The caller uses the session's own key. */
  readonly isForAgent: boolean;
  /** `id` of the last row that the caller has; null: send only rows stored from now on. */
  readonly after: number | null;
  /** Reads from storage when it is the caller's turn. */
  readonly turn: <Result>(read: () => Promise<Result>) => Promise<Result>;
  /** Sends one event. */
  readonly send: (text: string) => void;
}

/** Without running calls, storage is read once in this many looks: others may write to the session too. */
const quietLooks = 10;

/** Reports what changed in a session since the last read. */
export class SessionFollower {
  readonly #dependencies: ControlDependencies;
  readonly #followed: Followed;
  readonly #sent = new Map<string, string>();
  #after: number | null;
  #looks = 0;
  #isBusy = true;

  constructor(dependencies: ControlDependencies, followed: Followed) {
    this.#dependencies = dependencies;
    this.#followed = followed;
    this.#after = followed.after;
  }

  async look(): Promise<void> {
    const { config, registry } = this.#dependencies;
    const { session_id } = this.#followed;
    const session = registry.find(session_id);
    const calls = session?.running ?? [];
    // If storage cannot be read now, the next read may succeed.
    if (this.#after === null) await this.#findLastRow().catch(() => {});
    else if (calls.length > 0 || this.#isBusy || this.#looks % quietLooks === 0)
      await this.#sendRows(this.#after).catch(() => {});
    this.#sendChanged("running", calls.map(runningBody));
    this.#sendChanged("status", session === null ? null : statusBody(session, config));
    this.#isBusy = calls.length > 0;
    this.#looks += 1;
  }

  async #findLastRow(): Promise<void> {
    const { browser } = this.#dependencies.store;
    const { session_id, turn } = this.#followed;
    const summary = await turn(() => browser.readSummary(session_id));
    this.#after = summary?.last_step?.id ?? 0;
  }

  async #sendRows(after: number): Promise<void> {
    const { session_id, isForAgent, send, turn } = this.#followed;
    const { browser } = this.#dependencies.store;
    const page = await turn(() => browser.readRows({ session_id, after, payload: true }));
    const { rows } = isForAgent ? rowsForAgent(page) : page;
    const last = rows.at(-1);
    if (last === undefined) return;
    this.#after = last.id;
    send(`id: ${last.id}\nevent: rows\ndata: ${JSON.stringify(rows)}\n\n`);
  }

  #sendChanged(event: string, data: unknown): void {
    const text = JSON.stringify(data);
    if (this.#sent.get(event) === text) return;
    this.#sent.set(event, text);
    this.#followed.send(`event: ${event}\ndata: ${text}\n\n`);
  }
}

function runningBody({ call, answer }: RunningCall) {
  const { request_id, model, step_id, endpoint, timings } = call;
  const text = answer?.reading?.textSoFar() ?? null;
  return {
    request_id,
    model,
    step_id,
    endpoint: endpoint.name,
    started_at: new Date(timings.startedAt).toISOString(),
    response: text === null ? null : Buffer.from(text).toString(),
  };
}
