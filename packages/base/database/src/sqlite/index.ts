export { backupDatabase } from "./backup.ts";
export { Checkpointer, type CheckpointTally } from "./checkpointer.ts";
export {
  type Connection,
  openReaderConnection,
  openWriterConnection,
  type WriterOptions,
} from "./connection.ts";
export {
  databaseFile,
  makeDatabaseFile,
  requireDatabaseFile,
  sqlitePrefix,
} from "./database-file.ts";
export { FileIdentity } from "./file-identity.ts";
export { FileOwner, type FileOwnerOptions } from "./file-owner.ts";
export { isBusy, lockWaited, waitForLock } from "./lock-wait.ts";
export { type FileMeasures, measureFile } from "./measure-file.ts";
export { type CallHandlers, serveFile } from "./serve-file.ts";
export { SqliteDatabase, type SqliteDatabaseOptions } from "./sqlite-database.ts";
export { explainSqliteError, isContentRefusal } from "./sqlite-failure.ts";
export { WriteTransaction } from "./write-transaction.ts";
