import { ApiError, HttpError } from "@proj/http-client";
import type { EnvironmentRow } from "@proj/session-store";
import type { Launch } from "../launch.ts";
import { abandonSession } from "../simulation/leave-session.ts";

/** How many sessions are closed at once. */
const atOnce = 16;

/**
 * Closes and cleans the sessions of the job's ended attempts that the gateway still has: their launchers died before
 * they could do it.
 */
export async function leaveEndedSessions(launch: Launch): Promise<void> {
  const { gateway, store, job_id, tell } = launch;
  const left: string[] = [];
  try {
    for await (const { session_id } of gateway.sessions()) {
      const environment = await store.readEnvironment(session_id);
      if (environment?.job_id === job_id && hasEnded(environment)) left.push(session_id);
    }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    // A gateway with only the basic interface has no list of sessions.
    const hasNoList = error instanceof ApiError && error.status === 404;
    if (!hasNoList) tell({ event: "gateway_unavailable", message: error.message });
  }
  await leaveSessions(left, launch);
}

export async function leaveSessions(session_ids: readonly string[], launch: Launch): Promise<void> {
  const waiting = session_ids.values();
  const leaveOneByOne = async (): Promise<void> => {
    for (const session_id of waiting) await abandonSession(session_id, launch);
  };
  await Promise.all(Array.from({ length: atOnce }, leaveOneByOne));
}

function hasEnded({ status }: EnvironmentRow): boolean {
  return status !== "pending" && status !== "running";
}
