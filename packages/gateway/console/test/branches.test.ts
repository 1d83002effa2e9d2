import type { StoredRow } from "@proj/session-store";
import { expect, test } from "vitest";
import { lineOf, titleOf, withChildren } from "../src/page/session/tree/branch.ts";
import { growBranches } from "../src/page/session/tree/grow-branches.ts";

interface Given {
  readonly base?: number;
  /** Bytes that it shares with its base. @default all but the closing bracket */
  readonly shared?: number;
  readonly adds?: number;
  readonly meta?: object;
}

/** Rows described by what they share. Each adds a hundred bytes to its base. */
function rowsOf(...given: readonly Given[]): StoredRow[] {
  const lengths: number[] = [];
  return given.map(({ base, shared, adds = 100, meta = {} }, at) => {
    const from = base === undefined ? 0 : (shared ?? (lengths[base - 1] ?? 0) - 1);
    lengths.push(from + adds);
    return {
      ...{ id: at + 1, request_id: "", model: "policy", step_id: at + 1, status_code: 200 },
      ...{ reward: null, is_terminal: false, is_truncated: false, created_at: "" },
      ...{ request: null, response: null, messages: null, request_bytes: 1, response_bytes: 1 },
      ...{ messages_base: base ?? null, messages_shared: base === undefined ? null : from },
      meta_json: JSON.stringify(meta),
      messages_bytes: adds,
    };
  });
}

const told = (rows: StoredRow[]): string[] =>
  withChildren(growBranches(rows)).map(
    ({ id, parent, after, calls }) =>
      `${id}${parent === null ? "" : ` from ${parent.id} after ${after + 1}`}: ${calls.map((at) => at + 1)}`,
  );

test("a growing conversation is one branch, even if its history is edited", () => {
  expect(told(rowsOf({}, { base: 1 }, { base: 2, shared: 120 }, { base: 3 }))).toEqual([
    "main: 1,2,3,4",
  ]);
});

test("a second continuation of a step is a fork, which leads back to that step", () => {
  const rows = rowsOf({}, { base: 1 }, { base: 2 }, { base: 3, shared: 198 }, { base: 3 });
  expect(told(rows)).toEqual(["main: 1,2,3,5", "fork from main after 2: 4"]);
  const [main] = growBranches(rows);
  expect(main?.children.map(lineOf)).toEqual([[0, 1, 3]]);
});

test("the same request again is another answer to what came before", () => {
  expect(told(rowsOf({}, { base: 1 }, { base: 2, adds: 1 }))).toEqual([
    "main: 1,2",
    "fork from main after 1: 3",
  ]);
});

test("an attempt that was retried is a leaf beside its retry", () => {
  const rows = rowsOf({}, { base: 1 }, { base: 2, adds: 1, meta: { retry_of: 2 } }, { base: 3 });
  expect(told(rows)).toEqual(["main: 1,3,4", "retried from main after 1: 2"]);
});

test("agents are named by what tells them apart, and the main one is not a subagent", () => {
  const agent = (id: string, kind: string, parent: string | null) => ({
    meta: { agent: { id, kind, parent } },
  });
  const rows = rowsOf(
    agent("m", "main", null),
    agent("a1", "subagent", "m"),
    agent("a2", "subagent", "m"),
    agent("r1", "read", "a2"),
    agent("r2", "read", "a2"),
  );
  expect(withChildren(growBranches(rows)).map(titleOf)).toEqual([
    "Main",
    "Subagent a1",
    "Subagent a2",
    "Subagent read",
    "Subagent read 2",
  ]);
});

test("subagents and side calls leave the branch that called them", () => {
  const rows = rowsOf(
    {},
    { meta: { side_call: "title" } },
    { base: 1 },
    { meta: { agent: { id: "a", kind: "explore" } } },
    { base: 4, meta: { agent: { id: "a", kind: "explore" } } },
    { meta: { agent: { id: "b", parent: "a" } } },
    { base: 3 },
  );
  expect(told(rows)).toEqual([
    "main: 1,3,7",
    "side_call-title from main after 1: 2",
    "subagent-explore from main after 3: 4,5",
    "subagent-b from subagent-explore after 5: 6",
  ]);
});

test("a call that repeats nothing from before starts another conversation", () => {
  expect(told(rowsOf({}, { base: 1 }, {}, { base: 3 }))).toEqual([
    "main: 1,2",
    "conversation: 3,4",
  ]);
});
