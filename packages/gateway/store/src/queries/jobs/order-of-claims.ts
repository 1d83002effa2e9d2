import type { EnvironmentRow } from "../../environment-row.ts";

/** Oldest first: an update returns its rows in any order. */
export function byAge(first: EnvironmentRow, second: EnvironmentRow): number {
  return (
    compare(first.created_at, second.created_at) || compare(first.session_id, second.session_id)
  );
}

function compare(first: string, second: string): number {
  return first < second ? -1 : Number(first > second);
}
