// Colours are for people at a terminal (https://no-color.org, https://force-color.org).
import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isLeftOutWithoutTerminals, temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

test("programs colour only what `styleText` writes to a stream, which asks the terminal", () => {
  const files = globSync("{apps/*,packages/*/*}/src/**/*.ts", { cwd: root });
  const coloured = files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return [...text.matchAll(/styleText\(([^;]*);|(?:\\x1b|\\u001b)\[[\d;]*m/g)].map(([found]) => ({
      file,
      found,
    }));
  });
  expect(coloured.length).toBeGreaterThan(2);
  expect(coloured.filter(({ found }) => !found.includes("stream"))).toEqual([]);
});

test.skipIf(isLeftOutWithoutTerminals("colours"))(
  "a terminal has colours unless NO_COLOR is set, anything else only with FORCE_COLOR",
  async () => {
    await using folder = await temporaryFolder();
    const feed = join(folder.path, "feed.json");
    const _deprecation = { provider: "It", model_id: "old-1", shutdown_date: "2020-01-31" };
    await writeFile(feed, JSON.stringify({ items: [{ id: "1", _deprecation }] }));
    const bin = join(root, "apps/deprecations/src/bin.ts");
    const args = ["--conditions=@proj/source", bin, "check", "old-1", "--feed", feed];
    const line = [process.execPath, ...args].map((word) => `'${word}'`).join(" ");
    /** Whether it prints colours; `| cat` is a pipe even below a terminal. */
    const isColoured = async (end: "" | " | cat", env: Readonly<Record<string, string>>) => {
      const { NO_COLOR: _no, FORCE_COLOR: _force, CI: _ci, ...others } = process.env;
      const { stdout } = await promisify(execFile)(
        "script",
        ["-qc", `${line}${end}`, "/dev/null"],
        { env: { ...others, TERM: "xterm-256color", ...env }, timeout: 60_000 },
      );
      expect(stdout).toContain("old-1 was shut down on 2020-01-31");
      return stdout.includes("\u001b[3");
    };
    expect(await isColoured("", {})).toBe(true);
    expect(await isColoured("", { NO_COLOR: "1" })).toBe(false);
    expect(await isColoured(" | cat", {})).toBe(false);
    expect(await isColoured(" | cat", { FORCE_COLOR: "1" })).toBe(true);
  },
  120_000,
);
