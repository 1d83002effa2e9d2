import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { RequestLog } from "../../src/request-log/request-log.ts";
import { sampleEntry } from "./sample-entry.ts";
import { temporaryFolder } from "./temporary-folder.ts";

test.skipIf(process.platform !== "linux")(
  "nothing more is written to a disk that answers only after the log gave up closing",
  async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    // A pipe takes 64 KiB, and the rest only when somebody reads.
    const path = join(await temporaryFolder(), "pipe");
    await promisify(execFile)("mkfifo", [path]);
    const errors: string[] = [];
    const log = new RequestLog(
      { enabled: true, path, max_bytes: 1e8, backup_count: 3, body_limit_bytes: 0 },
      (message) => errors.push(message),
    );
    // Larger than one write, so that a second one is due when the log gives up.
    log.write(sampleEntry({ step_id: 1, request: Buffer.alloc(150_000, "r") }));
    log.write(sampleEntry({ step_id: 2, request: Buffer.alloc(300_000, "r") }));
    const closed = log.close();
    await vi.advanceTimersByTimeAsync(5_000);
    await closed;
    expect(log.lost).toBe(2);

    // Ends when the log has closed the file.
    const { stdout } = await promisify(execFile)("cat", [path]);
    expect(JSON.parse(stdout).step_id).toBe(1);
    expect(stdout.endsWith("}\n")).toBe(true);
    await log.flush();
    expect(await readdir(dirname(path))).toEqual(["pipe"]);
    expect(errors).toEqual([]);
  },
);
