import { optional, withDefault } from "@proj/program";
import type { ValuesOf } from "./options-of.ts";
import { readSecretFile } from "./secrets/secret-file.ts";

export const defaultDbPath = "sqlite://data/gateway.db";

/** `--db-path URL` and `--db-path-file FILE` */
export const storageOptions = (group?: string) => {
  const where = group === undefined ? {} : { group };
  return {
    "db-path": withDefault(
      "URL",
      "the gateway's storage_config.db_url; what only reads also takes an archive: s3://BUCKET/PREFIX, or a folder",
      defaultDbPath,
      {
        ...where,
        variable: "GATEWAY_DB_URL",
      },
    ),
    "db-path-file": optional("FILE", "or a file that contains it, for a URL with a password", {
      ...where,
      completion: "files",
    }),
  };
};

export type StorageSettings = ValuesOf<ReturnType<typeof storageOptions>>;

/** @throws UsageError the file cannot be read */
export const dbPathOf = (given: StorageSettings): string => {
  const file = given["db-path-file"];
  return file === null ? given["db-path"] : readSecretFile("db-path-file", file);
};
