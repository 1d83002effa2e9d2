import { DatabaseSync } from "node:sqlite";

/** What a row of `session_steps` takes in a database that is in use, all its indexes included. */
export function kilobytesPerRow(file: string): number {
  const database = new DatabaseSync(file);
  try {
    // The pages that are in the WAL only are counted as well.
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
