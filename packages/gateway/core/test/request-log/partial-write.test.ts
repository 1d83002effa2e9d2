import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryFolder } from "./temporary-folder.ts";

const program = fileURLToPath(new URL("./limited-writer.ts", import.meta.url));

test.skipIf(process.platform === "win32")(
  "a disk that ends in the middle of a line keeps the lines before it and no part of it",
  async () => {
    const path = join(await temporaryFolder(), "requests.jsonl");
    // The shell's limit on file size makes the system write only part of the data.
    const command = 'ulimit -f 4 && exec "$0" --conditions=@proj/source "$@"';
    const { stdout } = await promisify(execFile)("sh", [
      "-c",
      command,
      process.execPath,
      program,
      path,
      "20",
    ]);
    const { lost, errors } = JSON.parse(stdout);
    const lines = (await readFile(path, "utf8")).split("\n");
    expect(lines.pop()).toBe("");
    expect(lines.map((line) => JSON.parse(line).step_id)).toEqual(
      lines.map((_, index) => index + 1),
    );
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length + lost).toBe(20);
    expect(errors).toEqual([expect.stringContaining("EFBIG")]);
  },
);
