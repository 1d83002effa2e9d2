import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { PointsRunner, PointsSource } from "../storage/source.ts";

/** How far an indexer has come; stored in the same transaction as the events up to there. */
export interface Cursor {
  /** 1 to 128 characters `[A-Za-z0-9._-]`. */
  readonly name: string;
  /** In the indexer's own terms: a block, a slot, a signature. */
  readonly value: string;
  /** The expected value before, null for none; stops two indexers from running at once. @default anything */
  readonly previous?: string | null | undefined;
}

/** Another indexer has moved the cursor; nothing was stored. */
export class CursorConflictError extends Error {
  override readonly name = "CursorConflictError";
  /** The stored value; null: there is none. */
  readonly value: string | null;

  constructor(value: string | null) {
    super(
      value === null
        ? "there is no such cursor; nothing was stored"
        : `the cursor is at ${JSON.stringify(value)}; nothing was stored`,
    );
    this.value = value;
  }
}

const stored = {
  value: parameter<string>("value"),
  updated_at: parameter<number>("updated_at"),
};
const find = query(({ db }: PointsSource) =>
  db.selectFrom("cursors").select("value").where("name", "=", parameter<string>("name")),
);
const put = query(({ db }: PointsSource) =>
  db
    .insertInto("cursors")
    .values({ name: parameter<string>("name"), ...stored })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(stored)),
);

/** Null if the cursor does not exist. */
export async function readCursor(runner: PointsRunner, name: string): Promise<string | null> {
  return (await runner.run(find, { name })).rows[0]?.value ?? null;
}

/** @throws CursorConflictError */
export async function moveCursor(
  runner: PointsRunner,
  { name, value, previous }: Cursor,
): Promise<void> {
  if (previous !== undefined) {
    const current = await readCursor(runner, name);
    if (current !== previous) throw new CursorConflictError(current);
  }
  const updated_at = Math.floor(Date.now() / 1000);
  await runner.run(put, { name, value, updated_at });
}
