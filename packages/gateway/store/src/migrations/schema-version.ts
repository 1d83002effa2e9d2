import { StoreSchemaError, throwIfNewer } from "@proj/database";
import { migrations } from "./migrations.ts";

/** The version that introduced `stored_steps`; no query needs anything newer. */
const oldestReadable = 4;

/** For programs that only read, and so do not update the schema. @throws StoreSchemaError */
export function checkVersion(version: number): void {
  throwIfNewer(version, migrations.length);
  if (version >= oldestReadable) return;
  throw new StoreSchemaError(
    `the database has schema version ${version}, which is too old to be read without converting it: start the gateway with it once`,
  );
}
