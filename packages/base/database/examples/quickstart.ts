/** A file with one owner, and a write that is refused because nobody would ever find it. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monotonicMs, StoreReplacedError } from "@proj/database";
import {
  FileOwner,
  makeDatabaseFile,
  openWriterConnection,
  WriteTransaction,
} from "@proj/database/sqlite";

const folder = mkdtempSync(join(tmpdir(), "database-"));
const file = join(folder, "notes.db");
makeDatabaseFile(file);
const owner = new FileOwner(file, { program: "notebook", advice: "Use another file." });
owner.hold();

const stop = new Int32Array(new SharedArrayBuffer(4));
const connection = openWriterConnection(
  { file, stop, known: null },
  { synchronous: "full", keptWalBytes: 1_048_576, checkpointBytes: 16_777_216 },
  monotonicMs() + 1_000,
);
const transaction = new WriteTransaction(connection, 1_000, stop);
const write = (sql: string): void =>
  transaction.run(monotonicMs() + 1_000, () => void connection.database.exec(sql));

write("create table notes (text); insert into notes values ('kept')");
rmSync(file);
assert.throws(() => write("insert into notes values ('lost')"), StoreReplacedError);
console.log("A note for a file that is gone was refused.");

connection.database.close();
owner.release();
rmSync(folder, { recursive: true });
