import {
  type Command,
  defineCommand,
  exitCode,
  oneOperand,
  required,
  UsageError,
} from "@proj/program";

/** Copies the SQLite file that a configuration names, even while a gateway uses it. */
export const backup: Command = defineCommand({
  name: "backup",
  summary: "copy the database to a new file, even while a gateway uses it",
  operand: oneOperand("FILE", "the copy's name; an existing file is not replaced"),
  options: {
    config: required("FILE", "YAML configuration that names the database", {
      short: "c",
      completion: "files",
    }),
  },
  async run({ operand, options: { config: path } }) {
    const { loadConfig } = await import("@proj/gateway-protocol");
    const { backupSqliteStore, storageKinds } = await import("@proj/session-store");
    const { storage_type, storage_config } = loadConfig(path);
    if (!storageKinds[storage_type].isFile) {
      throw new UsageError("PostgreSQL is backed up with its own pg_dump");
    }
    const { file, bytes } = await backupSqliteStore(storage_config.db_url, operand);
    console.error(`${file}: ${bytes} bytes`);
    return exitCode.done;
  },
});
