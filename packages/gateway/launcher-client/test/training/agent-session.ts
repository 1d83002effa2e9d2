import type { Split, SplitReason } from "@proj/sequences";
import type { JobStore } from "@proj/session-store";
import { type Rollout, type RolloutOptions, readRollout } from "../../src/index.ts";

export interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly { readonly id: string }[];
}

interface AgentSessionParts {
  readonly session_id: string;
  readonly gateway_url: string;
  readonly store: JobStore;
  /** Is told the reasons of all sequences that were read. */
  readonly produced: Set<SplitReason>;
}

/** An agent's session, which can report what became of its steps. */
export class AgentSession {
  readonly model: string;
  readonly #parts: AgentSessionParts;

  constructor(model: string, parts: AgentSessionParts) {
    this.model = model;
    this.#parts = parts;
  }

  async ask(
    messages: readonly Message[],
    more: object = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Message> {
    const { gateway_url, session_id } = this.#parts;
    const answer = await fetch(`${gateway_url}/v1/sessions/${session_id}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ model: this.model, messages, ...more }),
    });
    const { choices } = (await answer.json()) as { choices: [{ message: Message }] };
    return choices[0].message;
  }

  async rollout(options: RolloutOptions = {}): Promise<Rollout> {
    const { store, session_id } = this.#parts;
    const { steps } = await store.readSteps({ session_id });
    const [first] = steps;
    if (first === undefined) throw new Error("the session has no steps");
    const about = { simulation_id: "s", attempt: 1, env_params: null, status: "finished" } as const;
    const unknown = { result: null, error: null, owner: null, heartbeat_at: null };
    const times = { created_at: first.created_at, started_at: null, finished_at: null };
    const { env_name, group_id } = first;
    const row = {
      session_id,
      env_name,
      group_id,
      job_id: "j",
      reward: 1,
      ...about,
      ...unknown,
      ...times,
    };
    const rollout = await readRollout(store, row, options);
    for (const { split } of rollout.sequences) this.#parts.produced.add(split.reason);
    return rollout;
  }

  /** Why the last sequence begins. */
  async lastSplit(options: RolloutOptions = {}): Promise<Split | undefined> {
    return (await this.rollout(options)).sequences.at(-1)?.split;
  }
}
