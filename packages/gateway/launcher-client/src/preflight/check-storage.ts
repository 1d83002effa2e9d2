import { existsSync } from "node:fs";
import { maskUrlsInText, publicDbUrl } from "@proj/gateway-protocol";
import { StoreSchemaError, StoreUnavailableError, storageKinds } from "@proj/session-store";
import type { GatewayReadiness } from "../gateway/gateway-answers.ts";
import { StartupError } from "./startup-error.ts";

export interface LauncherStorage {
  readonly storage_type: "sqlite" | "cloud";
  /** The value of `--db-path`, as given. */
  readonly db_url: string;
  /**
   * Opens the launcher's storage. Called only when everything else matches the gateway's storage: a wrong path must
   * not create a new database.
   */
  readonly readStorageId: () => Promise<string>;
}

/** @throws StartupError the launcher and the gateway do not use the same storage */
export async function checkStorage(
  gateway: GatewayReadiness,
  launcher: LauncherStorage,
): Promise<void> {
  const ours = publicDbUrl(launcher.db_url);
  const theirs = gateway.storage_config.db_url;
  if (gateway.storage_type !== launcher.storage_type)
    throw mismatch(
      "storage",
      `the gateway has storage_type ${gateway.storage_type} (${quote(theirs)}), the launcher ${launcher.storage_type} (${quote(ours)})`,
    );
  const { isFile } = storageKinds[launcher.storage_type];
  // Both name a file in the same way; a server may have another name on the launcher's machine.
  if (isFile && ours !== theirs)
    throw mismatch(
      "SQLite DB",
      `the gateway has storage_config.db_url ${quote(theirs)}, the launcher --db-path ${quote(ours)}. Give both the same value`,
    );
  if (isFile) requireFile(launcher.db_url, ours);
  const storage_id = await openStorage(launcher);
  if (gateway.storage_id === null || gateway.storage_id === storage_id) return;
  const ids = `the gateway's storage_id is ${gateway.storage_id}, the launcher's ${storage_id}`;
  if (!isFile)
    throw mismatch(
      "storage",
      `the gateway uses ${quote(theirs)}, the launcher ${quote(ours)}, and they are two databases: ${ids}`,
    );
  const why = whyTwoFiles(ours, "the file was replaced while the gateway had it open");
  throw mismatch("SQLite DB", `both are ${quote(ours)}, but they are two files: ${ids}; ${why}`);
}

/** A ready gateway has created its file: opening another path would create a second one, in the wrong folder. */
function requireFile(db_url: string, shown: string | null): void {
  if (existsSync(db_url.slice("sqlite://".length))) return;
  const why = whyTwoFiles(db_url, "the file was removed");
  throw mismatch("SQLite DB", `both are ${quote(shown)}, but there is no such file here; ${why}`);
}

const whyTwoFiles = (db_url: string, otherwise: string): string =>
  db_url.startsWith("sqlite:///")
    ? `the launcher runs on another machine or in another container, or ${otherwise}`
    : "a relative path is relative to the folder in which each of the two was started; start both in one folder, or give both the absolute path (sqlite:///<file>)";

/** @throws StartupError */
async function openStorage({ db_url, readStorageId }: LauncherStorage): Promise<string> {
  try {
    return await readStorageId();
  } catch (error) {
    // A TypeError means that the URL does not fit the storage.
    const isExpected = [StoreSchemaError, StoreUnavailableError, TypeError].some(
      (expected) => error instanceof expected,
    );
    if (!isExpected || !(error instanceof Error)) throw error;
    const message = `launcher --db-path ${quote(publicDbUrl(db_url))} cannot be used: ${maskUrlsInText(error.message)}`;
    throw new StartupError("storage_unavailable", message, error);
  }
}

const mismatch = (what: "SQLite DB" | "storage", how: string): StartupError =>
  new StartupError(
    "storage_mismatch",
    `gateway ${what} does not match launcher --db-path: ${how}.`,
  );

const quote = (value: string | null): string => JSON.stringify(value);
