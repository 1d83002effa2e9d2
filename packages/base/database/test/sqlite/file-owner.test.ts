import { spawn } from "node:child_process";
import { once } from "node:events";
import { linkSync, rmSync, statSync, symlinkSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { StoreInUseError } from "../../src/errors.ts";
import { makeDatabaseFile } from "../../src/sqlite/database-file.ts";
import { FileOwner } from "../../src/sqlite/file-owner.ts";
import { connectTo, temporaryFile } from "../temporary-file.ts";

const options = { program: "gateway", advice: "Use another file." };

function ownerOf(file: string): FileOwner {
  makeDatabaseFile(file);
  const owner = new FileOwner(file, options);
  onTestFinished(() => owner.release());
  return owner;
}

/** Another process that holds the lock until it is killed. */
async function startOwner(file: string) {
  const owner = new URL("../../src/sqlite/file-owner.ts", import.meta.url);
  const code = `
    import { FileOwner } from ${JSON.stringify(owner.href)};
    new FileOwner(process.argv[1], { program: "gateway", advice: "" }).hold();
    console.log("held");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code, file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(createInterface({ input: child.stdout }), "line");
  return child;
}

test("a second owner is refused and told who the first is; readers are not refused", async () => {
  const file = await temporaryFile();
  ownerOf(file).hold();
  const second = ownerOf(file);
  expect(() => second.hold()).toThrow(StoreInUseError);
  expect(() => second.hold()).toThrow(
    `is in use by a gateway (process ${process.pid} on ${hostname()}, started 20`,
  );
  expect(() => second.hold()).toThrow(/Use another file\.$/);
  connectTo(file).exec("create table number (value)");
});

test("a link to the file, or to its folder, is the same file", async () => {
  const file = await temporaryFile();
  ownerOf(file).hold();
  symlinkSync(file, `${file}.link`);
  symlinkSync(dirname(file), `${dirname(file)}-link`);
  onTestFinished(() => rmSync(`${dirname(file)}-link`));
  for (const name of [`${file}.link`, join(`${dirname(file)}-link`, basename(file))]) {
    expect(() => ownerOf(name).hold()).toThrow(`process ${process.pid} on`);
  }
});

test("a link that was there first has the same owner", async () => {
  const file = await temporaryFile();
  makeDatabaseFile(file);
  symlinkSync(file, `${file}.link`);
  const linked = ownerOf(`${file}.link`);
  linked.hold();
  expect(() => ownerOf(file).hold()).toThrow(StoreInUseError);
  linked.release();
  ownerOf(file).hold();
});

test("a file with a second name is refused, because each name would have its own WAL", async () => {
  const file = await temporaryFile();
  const owner = ownerOf(file);
  linkSync(file, `${file}.second`);
  expect(() => owner.hold()).toThrow(/second name \(a hard link\)/);
  expect(() => ownerOf(`${file}.second`).hold()).toThrow(StoreInUseError);
  rmSync(`${file}.second`);
  owner.hold();
});

test("a killed process leaves no lock behind", async () => {
  const file = await temporaryFile();
  makeDatabaseFile(file);
  const child = await startOwner(file);
  const owner = ownerOf(file);
  expect(() => owner.hold()).toThrow(`process ${child.pid} on`);
  child.kill("SIGKILL");
  await once(child, "exit");
  owner.hold();
});

test("a released lock is free", async () => {
  const file = await temporaryFile();
  const first = ownerOf(file);
  first.hold();
  first.release();
  ownerOf(file).hold();
});

test("an owner that lost its lock file takes the lock again, unless another owner was quicker", async () => {
  const file = await temporaryFile();
  const first = ownerOf(file);
  first.hold();
  rmSync(`${file}-owner`);
  first.hold();
  const second = ownerOf(file);
  expect(() => second.hold()).toThrow(StoreInUseError);
  rmSync(`${file}-owner`);
  second.hold();
  expect(() => first.hold()).toThrow(StoreInUseError);
});

test.skipIf(process.platform === "win32")("only its user can take the lock", async () => {
  const file = await temporaryFile();
  ownerOf(file).hold();
  expect((statSync(`${file}-owner`).mode & 0o777).toString(8)).toBe("600");
});
