import { mkdir, readdir, readFile, rmdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { RotatingFile } from "../../src/request-log/rotating-file.ts";
import { temporaryFolder } from "./temporary-folder.ts";

function openAt(path: string, maxBytes: number, backupCount: number): RotatingFile {
  const file = new RotatingFile({ path, maxBytes, backupCount });
  onTestFinished(() => file.close());
  return file;
}

async function appendAll(file: RotatingFile, lines: string): Promise<void> {
  let left: Buffer = Buffer.from(lines);
  while (left.length > 0) left = left.subarray(await file.append(left));
}

async function contents(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort();
  const texts = names.map(async (name) => [name, await readFile(join(folder, name), "utf8")]);
  return Object.fromEntries(await Promise.all(texts));
}

test("makes the folders above it", async () => {
  const folder = await temporaryFolder();
  await appendAll(openAt(join(folder, "a", "b", "log"), 100, 1), "one\n");
  expect(await contents(join(folder, "a", "b"))).toEqual({ log: "one\n" });
});

test("a new file can be read only by its owner; an existing file keeps its mode", async () => {
  const folder = await temporaryFolder();
  const path = join(folder, "log");
  const file = openAt(path, 5, 1);
  const modeOf = async (name: string): Promise<string> =>
    ((await stat(name)).mode & 0o777).toString(8);
  await appendAll(file, "one\n");
  expect(await modeOf(path)).toBe("600");
  await appendAll(file, "two\n");
  expect([await modeOf(path), await modeOf(`${path}.1`)]).toEqual(["600", "600"]);

  const shared = join(folder, "shared");
  await writeFile(shared, "", { mode: 0o644 });
  await appendAll(openAt(shared, 5, 1), "one\n");
  expect(await modeOf(shared)).toBe("644");
});

test("appends to an existing file", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "log"), "old\n");
  const file = openAt(join(folder, "log"), 100, 1);
  await appendAll(file, "one\n");
  await appendAll(file, "two\n");
  expect(await contents(folder)).toEqual({ log: "old\none\ntwo\n" });
});

test("ends a half-written line", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "log"), "old\nhal");
  await appendAll(openAt(join(folder, "log"), 16, 1), "one\ntwo\nthree\n");
  expect(await contents(folder)).toEqual({ "log.1": "old\nhal\none\ntwo\n", log: "three\n" });
});

test("rotates before a line would make it too large, and keeps the configured number of files", async () => {
  const folder = await temporaryFolder();
  await appendAll(openAt(join(folder, "log"), 8, 2), "11\n22\n33\n44\n55\n66\n77\n88\n");
  expect(await contents(folder)).toEqual({
    "log.2": "33\n44\n",
    "log.1": "55\n66\n",
    log: "77\n88\n",
  });
});

test("fills a file up to exactly its size", async () => {
  const folder = await temporaryFolder();
  await appendAll(openAt(join(folder, "log"), 6, 5), "11\n22\n33\n44\n");
  expect(await contents(folder)).toEqual({ "log.1": "11\n22\n", log: "33\n44\n" });
});

test("counts an existing file's size", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "log"), "old\n");
  await appendAll(openAt(join(folder, "log"), 6, 1), "one\n");
  expect(await contents(folder)).toEqual({ "log.1": "old\n", log: "one\n" });
});

test("puts a line larger than a file into its own file", async () => {
  const folder = await temporaryFolder();
  await appendAll(openAt(join(folder, "log"), 6, 5), "1\na very long line\n2\n");
  expect(await contents(folder)).toEqual({
    "log.2": "1\n",
    "log.1": "a very long line\n",
    log: "2\n",
  });
});

test("does not rotate an empty file for a line larger than a file", async () => {
  const folder = await temporaryFolder();
  await appendAll(openAt(join(folder, "log"), 6, 5), "a very long line\n");
  expect(await contents(folder)).toEqual({ log: "a very long line\n" });
});

test("empties the file if there are no backups", async () => {
  const folder = await temporaryFolder();
  await appendAll(openAt(join(folder, "log"), 6, 0), "11\n22\n33\n");
  expect(await contents(folder)).toEqual({ log: "33\n" });
});

test("a size of 0 never rotates", async () => {
  const folder = await temporaryFolder();
  const line = `${"x".repeat(1000)}\n`;
  await appendAll(openAt(join(folder, "log"), 0, 5), line.repeat(50));
  expect(await contents(folder)).toEqual({ log: line.repeat(50) });
});

test("a failed rotation loses nothing, and is repeated later", async () => {
  const folder = await temporaryFolder();
  const file = openAt(join(folder, "log"), 6, 2);
  await appendAll(file, "11\n22\n");
  await mkdir(join(folder, "log.1"));
  await writeFile(join(folder, "log.2"), "a file, over which no folder can be renamed");
  await expect(appendAll(file, "33\n")).rejects.toMatchObject({ code: "ENOTDIR" });
  await rmdir(join(folder, "log.1"));
  await appendAll(file, "33\n");
  const { log, "log.1": rotated } = await contents(folder);
  expect([rotated, log]).toEqual(["11\n22\n", "33\n"]);
});

test("rejects with the file system's error", async () => {
  const folder = await temporaryFolder();
  await expect(openAt(folder, 6, 1).append(Buffer.from("1\n"))).rejects.toMatchObject({
    code: "EISDIR",
  });
  await writeFile(join(folder, "file"), "");
  await expect(
    openAt(join(folder, "file", "log"), 6, 1).append(Buffer.from("1\n")),
  ).rejects.toMatchObject({ code: "EEXIST" });
});
