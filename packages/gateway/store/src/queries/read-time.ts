import { query } from "@proj/database";
import type { StoreRunner, StoreSource } from "../dialect.ts";

const find = query(({ db, dialect }: StoreSource) => db.selectNoFrom(dialect.now().as("now")));

/** The database's own time, the same for everyone who uses it. */
export async function readTime(runner: StoreRunner): Promise<string> {
  const { rows } = await runner.run(find);
  return rows[0]?.now ?? "";
}
