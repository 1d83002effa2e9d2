import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const program = fileURLToPath(new URL("./three-lines.ts", import.meta.url));

interface Run {
  readonly exitCode: number | null;
  readonly standardError: string[];
}

/** Runs the program that logs three lines, one after the other. */
async function logThreeLines(path: string): Promise<Run> {
  const child = spawn(process.execPath, ["--conditions=@proj/source", program, path]);
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let standardError = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    standardError += text;
  });
  const closed = once(child, "close");
  for (let line = 0; line < 3; line++) {
    child.stdin.write("\n");
    await Promise.race([once(child.stdout, "data"), closed]);
    // The file is written in the background, so wait for it to fail.
    if (standardError === "") await Promise.race([once(child.stderr, "data"), closed]);
  }
  await closed;
  return { exitCode: child.exitCode, standardError: standardError.trim().split("\n") };
}

test("a file that cannot be opened is reported once, and every line goes to standard error", async () => {
  const folder = await mkdtemp(join(tmpdir(), "service-log-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { exitCode, standardError } = await logThreeLines(folder);
  const [notice, ...lines] = standardError;
  expect(notice).toContain(`'${folder}' cannot be written: EISDIR`);
  expect(lines.map((line) => JSON.parse(line).number)).toEqual([1, 2, 3]);
  expect(exitCode).toBe(0);
});

test.skipIf(process.platform !== "linux")(
  "a full disk is reported once, and lines go to standard error from then on",
  async () => {
    const { exitCode, standardError } = await logThreeLines("/dev/full");
    const [notice, ...lines] = standardError;
    expect(notice).toContain("'/dev/full' cannot be written: ENOSPC");
    expect(lines.map((line) => JSON.parse(line).number)).toEqual([2, 3]);
    expect(exitCode).toBe(0);
  },
);
