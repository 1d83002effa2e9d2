import { visible } from "./visible.ts";

export interface NamedRollout {
  readonly session_id: string;
  /** Null: no launcher started it. */
  readonly simulation_id: string | null;
  readonly attempt: number | null;
}

/** What people call a session: its simulation, and which attempt, or else its id. */
export const rolloutName = ({ session_id, simulation_id, attempt }: NamedRollout): string =>
  simulation_id === null
    ? visible(session_id)
    : `${visible(simulation_id)}${attempt === null || attempt === 1 ? "" : `, attempt ${attempt}`}`;
