import type { StoredRow } from "@proj/session-store";
import { errorOfStep } from "@proj/session-store/answers";
import { answersOf } from "../session/added.ts";
import { factsOf } from "../session/step-facts.ts";

/** What an agent did in a step: called a tool, said something, or failed. */
export interface Action {
  /** The tool's name; null: no tool was called. */
  readonly tool: string | null;
  /** The arguments, the words, or why the step failed. */
  readonly text: string;
  /** Equal for equal actions: the same tool with the same arguments, in whatever order their members are. */
  readonly key: string;
  readonly isFailed: boolean;
  /** What was said along with the call; empty: nothing. */
  readonly remark: string;
  /** The row's `id`. */
  readonly row: number;
  readonly step_id: number;
}

/** A step's actions in order; there are several if the answer calls several tools. */
export function actionsOf(row: StoredRow): readonly Action[] {
  const at = { row: row.id, step_id: row.step_id };
  if (row.status_code !== 200) {
    const text = errorOfStep(row) ?? factsOf(row).outcome ?? "";
    return [
      { ...at, tool: null, text, key: `failed ${row.status_code}`, isFailed: true, remark: "" },
    ];
  }
  const parts = (answersOf(row) ?? []).flatMap(({ parts }) => parts);
  const words = parts
    .flatMap((part) => (part.kind === "text" || part.kind === "refusal" ? [part.text] : []))
    .join("\n")
    .trim();
  const calls = parts.flatMap((part, index): Action[] => {
    if (part.kind !== "tool_call") return [];
    const { name, arguments: text } = part;
    const isFirst = parts.findIndex(({ kind }) => kind === "tool_call") === index;
    const key = `${name} ${canonical(text)}`;
    return [{ ...at, tool: name, text, key, isFailed: false, remark: isFirst ? words : "" }];
  });
  if (calls.length > 0) return calls;
  return [{ ...at, tool: null, text: words, key: `says ${words}`, isFailed: false, remark: "" }];
}

/** JSON with sorted members; the text itself if it is not JSON, or nested too deeply. */
function canonical(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (_name, value: unknown) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
        : value,
    );
  } catch {
    return text;
  }
}
