import type { StoredRow } from "@proj/session-store";
import { expect, test } from "vitest";
import { type Base, BaseFinder, rebased } from "../src/page/session/find-base.ts";

interface Given {
  readonly history: readonly string[];
  /** The row that it is stored on, which it continues. */
  readonly base?: number;
  readonly agent?: string;
}

const textOf = (history: readonly string[]): string => JSON.stringify(history);
const lengthOf = (text: string): number => new TextEncoder().encode(text).length;

/** Rows as the gateway stores them, with ids from 1. */
function rowsOf(given: readonly Given[]): StoredRow[] {
  return given.map(({ history, base, agent }, index) => {
    const whole = textOf(history);
    const shared = base === undefined ? 0 : lengthOf(textOf(given[base - 1]?.history ?? [])) - 1;
    const messages_bytes = lengthOf(whole) - shared;
    return {
      ...{ id: index + 1, request_id: "", model: "policy", step_id: index + 1, status_code: 200 },
      ...{ reward: null, is_terminal: false, is_truncated: false, created_at: "" },
      ...{ request: null, response: null, request_bytes: 1, response_bytes: 1, messages_bytes },
      messages: base === undefined ? whole : null,
      ...{ messages_base: base ?? null, messages_shared: base === undefined ? null : shared },
      meta_json: JSON.stringify(agent === undefined ? {} : { agent: { id: agent } }),
    };
  });
}

/** Looks for the base of the last row. */
async function found(...given: readonly Given[]): Promise<{ base: Base | null; read: number[] }> {
  const rows = rowsOf(given);
  const read: number[] = [];
  const finder = new BaseFinder();
  for (const row of rows.slice(0, -1)) finder.add(row);
  const [row] = rows.slice(-1);
  if (row === undefined) throw new Error("there is a row");
  const base = await finder.find(row, async ({ id }) => {
    read.push(id);
    return textOf(given[id - 1]?.history ?? []);
  });
  return { base, read };
}

const one = { history: ["task"] };
const two = { history: ["task", "naïve answer", "on"], base: 1 };

test("a row that was stored whole continues the row whose whole history it repeats", async () => {
  const three = { history: [...two.history, "answer", "on"] };
  const { base } = await found(one, two, three);
  const shared = lengthOf(textOf(two.history)) - 1;
  expect(base).toEqual({ id: 2, shared });
  const [, , row] = rowsOf([one, two, three]);
  if (row === undefined || base === null) throw new Error("there is a row");
  expect(rebased(row, base)).toMatchObject({
    ...{ messages_base: 2, messages_shared: shared },
    ...{ messages: ',"answer","on"]', messages_bytes: lengthOf(',"answer","on"]') },
  });
});

test("a row that differs from the end continues the latest row that it repeats in full", async () => {
  const { base } = await found(one, two, { history: ["task", "another answer", "more", "still"] });
  expect(base).toEqual({ id: 1, shared: lengthOf(textOf(one.history)) - 1 });
});

test("of several branches it continues the one that it shares most with", async () => {
  const other = { history: ["task", "other", "on"], base: 1 };
  const { base } = await found(one, two, other, { history: [...two.history, "answer", "on"] });
  expect(base).toMatchObject({ id: 2 });
});

test("another conversation continues nothing, and no long history is read to see that", async () => {
  expect(await found(one, two, { history: ["another task"] })).toEqual({
    base: null,
    read: [3, 1],
  });
  expect(await found(one, { history: ["t"] })).toEqual({ base: null, read: [] });
});

test("an agent never continues another one", async () => {
  const three = { history: [...two.history, "answer", "on"], agent: "explore" };
  expect(await found(one, two, three)).toEqual({ base: null, read: [] });
});
