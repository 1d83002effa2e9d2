import type { StoredRow } from "@proj/session-store";
import { answersOf } from "./added.ts";
import type { ToolNames } from "./parts.tsx";
import type { SessionRows } from "./rows.ts";

const known = new WeakMap<StoredRow, ToolNames>();

/** The tools called in the step before, whose results this row brings. */
export function toolNamesOf(rows: SessionRows, row: StoredRow): ToolNames {
  const index = rows.indexOf(row.id);
  const base = rows.whole(rows.indexOf(rows.baseOf(row)?.id ?? 0)) ?? rows.whole(index - 1);
  return base === null ? none : calledBy(base);
}

const none: ToolNames = new Map();

function calledBy(row: StoredRow): ToolNames {
  const names = known.get(row) ?? new Map(callsOf(row));
  known.set(row, names);
  return names;
}

const callsOf = (row: StoredRow): (readonly [string, string])[] =>
  (answersOf(row) ?? [])
    .flatMap(({ parts }) => parts)
    .flatMap((part) =>
      part.kind === "tool_call" && part.call_id !== null
        ? [[part.call_id, part.name] as const]
        : [],
    );
