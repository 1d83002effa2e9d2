import type { CalendarDay, Notice } from "../notice/notice.ts";

/**
 * `active`: callable, perhaps with an earliest shutdown date; `deprecated`: will end; `shutdown`: calls fail;
 * `withdrawn`: it disappeared from its page before its shutdown date, or the page took its end back.
 */
export type ModelStatus = (typeof modelStatuses)[number];
export const modelStatuses = ["active", "deprecated", "shutdown", "withdrawn"] as const;

/** A date in the past takes precedence over what the page calls the model. */
export function modelStatus(
  notice: Pick<Notice, "shutdown_date" | "state"> & { readonly last_observed: CalendarDay },
  today: CalendarDay,
): ModelStatus {
  const { shutdown_date, state, last_observed } = notice;
  if (shutdown_date !== "" && shutdown_date <= today) return "shutdown";
  if (state === "shutdown" && shutdown_date === "") return "shutdown";
  if (last_observed !== "" || (state === "withdrawn" && shutdown_date === "")) return "withdrawn";
  return state === "active" ? "active" : "deprecated";
}
