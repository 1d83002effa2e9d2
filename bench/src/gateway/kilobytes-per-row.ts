import { DatabaseSync } from "node:sqlite";

/** The size of a row of `session_steps` in a database in use, including all its indexes. */
export function kilobytesPerRow(file: string): number {
  const database = new DatabaseSync(file);
  try {
    // Pages that are only in the WAL are counted, too.
    const sizes = database.prepare(
      `select page_count * page_size as bytes, (select count(*) from stored_steps) as rows
       from pragma_page_count, pragma_page_size`,
    );
    const { bytes, rows } = { bytes: 0, rows: 1, ...sizes.get() };
    return Number(bytes) / Number(rows) / 1024;
  } finally {
    database.close();
  }
}
