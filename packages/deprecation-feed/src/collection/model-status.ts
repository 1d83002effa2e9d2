import type { CalendarDay, Notice } from "../notice/notice.ts";

/**
 * `active`: callable, though its page may say from when it could end; `deprecated`: on its way out;
 * `shutdown`: calls fail; `withdrawn`: it has left its page before a shutdown date came.
 */
export type ModelStatus = (typeof modelStatuses)[number];
export const modelStatuses = ["active", "deprecated", "shutdown", "withdrawn"] as const;

/** A date that has come counts more than what the page calls the model. */
export function modelStatus(
  notice: Pick<Notice, "shutdown_date" | "state"> & { readonly last_observed: CalendarDay },
  today: CalendarDay,
): ModelStatus {
  const { shutdown_date, state, last_observed } = notice;
  if (shutdown_date !== "" && shutdown_date <= today) return "shutdown";
  if (state === "shutdown" && shutdown_date === "") return "shutdown";
  if (last_observed !== "") return "withdrawn";
  return state === "active" ? "active" : "deprecated";
}
