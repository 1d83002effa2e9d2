import {
  copyFileSync,
  linkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { expect, test } from "vitest";
import { StoreReplacedError } from "../../src/errors.ts";
import { isExact, isSame, statsOf } from "../../src/sqlite/file-identity.ts";
import { WriteTransaction } from "../../src/sqlite/write-transaction.ts";
import { newStop, openWriter, temporaryFile } from "../temporary-file.ts";

async function openTransaction(file: string) {
  const connection = openWriter(file);
  connection.database.exec("create table number (value)");
  const transaction = new WriteTransaction(connection, 1000, newStop());
  return () =>
    transaction.run(Infinity, () => connection.database.exec("insert into number values (1)"));
}

const accidents: Readonly<Record<string, (file: string) => void>> = {
  "the file is removed": (file) => rmSync(file),
  "the WAL is removed": (file) => rmSync(`${file}-wal`),
  "the index of the WAL is removed": (file) => rmSync(`${file}-shm`),
  "all files are removed": (file) => {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix);
  },
  "another file is renamed over it": (file) => {
    copyFileSync(file, `${file}.other`);
    renameSync(`${file}.other`, file);
  },
  "another WAL is put there": (file) => {
    rmSync(`${file}-wal`);
    writeFileSync(`${file}-wal`, "");
  },
};

test.each(Object.entries(accidents))("nothing is written after %s", async (_, happen) => {
  const file = await temporaryFile();
  const write = await openTransaction(file);
  write();
  happen(file);
  expect(write).toThrow(StoreReplacedError);
});

test("a transaction is not stored if the file is replaced during it", async () => {
  const file = await temporaryFile();
  const connection = openWriter(file);
  connection.database.exec("create table number (value)");
  const transaction = new WriteTransaction(connection, 1000, newStop());
  const write = () =>
    transaction.run(Infinity, () => {
      connection.database.exec("insert into number values (1)");
      rmSync(file);
    });
  expect(write).toThrow(/test\.db was removed while it was in use/);
});

test("nothing is written if the file is replaced during the wait for the lock", async () => {
  const file = await temporaryFile();
  const other = openWriter(file).database;
  const transaction = new WriteTransaction(openWriter(file), 60_000, newStop());
  other.exec("begin immediate");
  let hasWritten = false;
  const written = transaction.runAsync(Infinity, async () => {
    hasWritten = true;
  });
  copyFileSync(file, `${file}.other`);
  renameSync(`${file}.other`, file);
  other.exec("commit");
  await expect(written).rejects.toThrow(StoreReplacedError);
  expect(hasWritten).toBe(false);
});

test("a file that is moved away and back counts as the same", async () => {
  const file = await temporaryFile();
  const write = await openTransaction(file);
  renameSync(file, `${file}.away`);
  expect(write).toThrow(StoreReplacedError);
  renameSync(`${file}.away`, file);
  write();
});

test("a second link to the file, or a link in its place, changes nothing", async () => {
  const file = await temporaryFile();
  const write = await openTransaction(file);
  linkSync(file, `${file}.second`);
  write();
  rmSync(file);
  symlinkSync(`${file}.second`, file);
  write();
});

test.skipIf(process.platform === "win32")(
  "a new database is readable only by its user",
  async () => {
    const file = await temporaryFile();
    (await openTransaction(file))();
    for (const suffix of ["", "-wal", "-shm"]) {
      expect((statSync(file + suffix).mode & 0o777).toString(8)).toBe("600");
    }
  },
);

test("files are told apart by numbers only where numbers are exact", async () => {
  expect(isExact({ dev: 1, ino: 2 ** 53 - 1 })).toBe(true);
  expect(isExact({ dev: 1, ino: 2 ** 53 })).toBe(false);
  expect(isExact({ dev: 2 ** 53, ino: 1 })).toBe(false);
  const [one, other] = [await temporaryFile(), await temporaryFile()];
  for (const file of [one, other]) writeFileSync(file, "");
  expect(isSame(statsOf(one), statsOf(one))).toBe(true);
  expect(isSame(statsOf(one), statsOf(other))).toBe(false);
  const { dev, ino } = statSync(one, { bigint: true });
  expect(`${statsOf(one)?.dev}:${statsOf(one)?.ino}`).toBe(`${dev}:${ino}`);
});
