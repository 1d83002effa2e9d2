import { type Rollout, readRollout } from "@proj/launcher-client";
import type { JobReader } from "@proj/session-store";

/** A session as the finished attempt of a simulation, whether a launcher played it or not. */
export const rolloutOf = (store: JobReader, session_id: string): Promise<Rollout> =>
  readRollout(store, {
    ...{ session_id, job_id: "j", simulation_id: "s", attempt: 1, env_name: "e", group_id: "g" },
    ...{ env_params: null, status: "finished", reward: 1, result: null, error: null },
    ...{ owner: null, heartbeat_at: null, created_at: "2026-01-01T00:00:00.000Z" },
    ...{ started_at: null, finished_at: null },
  });
