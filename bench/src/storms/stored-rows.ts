import { copyFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";

export interface StoredRow {
  readonly request_id: string;
  readonly session_id: string;
  readonly model: string;
  readonly step_id: number;
  readonly status_code: number;
  readonly messages: string | null;
  readonly response: string | null;
}

const columns = "request_id, session_id, model, step_id, status_code, messages, response";

export const databaseFile = "gateway.db";

/** All steps of a gateway that has ended, in the order in which they were stored, and SQLite's check of the file. */
export function readRows(folder: string): { rows: readonly StoredRow[]; integrity: unknown } {
  const database = new DatabaseSync(join(folder, databaseFile));
  try {
    const rows = database.prepare(`select ${columns} from session_steps order by id`).all();
    return { rows: rows.map(toRow), integrity: integrityOf(database) };
  } finally {
    database.close();
  }
}

function toRow(row: Readonly<Record<string, SQLOutputValue>>): StoredRow {
  const text = (name: string): string | null => (row[name] === null ? null : String(row[name]));
  return {
    request_id: String(row.request_id),
    session_id: String(row.session_id),
    model: String(row.model),
    step_id: Number(row.step_id),
    status_code: Number(row.status_code),
    messages: text("messages"),
    response: text("response"),
  };
}

/** The number of rows that hold only what they add to an earlier one. */
export function countShared(folder: string): number {
  const database = new DatabaseSync(join(folder, databaseFile), { readOnly: true });
  try {
    const sql = "select count(*) as rows from stored_steps where messages_base is not null";
    return Number(database.prepare(sql).get()?.rows);
  } finally {
    database.close();
  }
}

/** SQLite's check of a copy of the files that a killed process left. */
export async function integrityAfterKill(folder: string, into: string): Promise<unknown> {
  for (const suffix of ["", "-wal"]) {
    const file = join(folder, databaseFile + suffix);
    if (await stat(file).catch(() => null)) await copyFile(file, join(into, databaseFile + suffix));
  }
  const database = new DatabaseSync(join(into, databaseFile));
  try {
    return integrityOf(database);
  } finally {
    database.close();
  }
}

function integrityOf(database: DatabaseSync): unknown {
  return database.prepare("pragma integrity_check").get()?.integrity_check;
}

export const stepKey = ({
  session_id,
  model,
  step_id,
}: Pick<StoredRow, "session_id" | "model" | "step_id">): string =>
  `${session_id} ${model} ${step_id}`;

/** Missing numbers below the largest of each session and model, and the number of such pairs. */
export function holesOf(rows: readonly Pick<StoredRow, "session_id" | "model" | "step_id">[]): {
  readonly pairs: number;
  readonly holes: readonly string[];
} {
  const pairs = Map.groupBy(rows, ({ session_id, model }) => `${session_id} ${model}`);
  const holes = [...pairs].flatMap(([pair, steps]) => {
    const numbers = new Set(steps.map(({ step_id }) => step_id));
    return Array.from({ length: Math.max(...numbers) }, (_, index) => index + 1)
      .filter((number) => !numbers.has(number))
      .map((number) => `${pair} ${number}`);
  });
  return { pairs: pairs.size, holes };
}

/** Values that occur more than once. */
export function repeated(keys: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return keys.filter((key) => seen.size === seen.add(key).size);
}
