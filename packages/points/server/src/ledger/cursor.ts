import type { PointsRunner } from "../storage/source.ts";
import { ledgerQueries } from "./ledger-queries.ts";

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

/** @throws CursorConflictError */
export async function moveCursor(
  runner: PointsRunner,
  { name, value, previous }: Cursor,
): Promise<void> {
  if (previous !== undefined) {
    const [row] = (await runner.run(ledgerQueries.findCursor, { name })).rows;
    const current = row?.value ?? null;
    if (current !== previous) throw new CursorConflictError(current);
  }
  const updated_at = Math.floor(Date.now() / 1000);
  await runner.run(ledgerQueries.putCursor, { name, value, updated_at });
}
