import { StoreSchemaError, throwIfNewer } from "@proj/database";
import { migrations } from "./migrations.ts";

/** `stored_steps` has its name since then, and no query asks for what came later. */
const oldestReadable = 4;

/** For programs that only read, and so bring no schema up to date. @throws StoreSchemaError */
export function checkVersion(version: number): void {
  throwIfNewer(version, migrations.length);
  if (version >= oldestReadable) return;
  throw new StoreSchemaError(
    `the database has schema version ${version}, which this program only converts: start the gateway with it once`,
  );
}
