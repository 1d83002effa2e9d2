import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Lower it with every file that a chat no longer needs. */
const maxFiles = 99;

test("a bound chat passes through no more files than before", async () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const args = ["--conditions=@proj/source", "scripts/walk.mjs"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  const [, files] = /^(\d+) files in \d+ folders$/m.exec(stdout) ?? [];
  expect(stdout).toContain("gateway/core/src/http/read-call.ts");
  expect(Number(files)).toBeLessThanOrEqual(maxFiles);
});
