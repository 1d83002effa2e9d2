import { StoreSchemaError } from "../store-errors.ts";

/** @throws StoreSchemaError the schema is newer than this program */
export function throwIfNewer(version: number, known: number): void {
  if (version <= known) return;
  throw new StoreSchemaError(
    `the database has schema version ${version}, and this program knows versions up to ${known}: use a newer version of the program, or another database`,
  );
}
