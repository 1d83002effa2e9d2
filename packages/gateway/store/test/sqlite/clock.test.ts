import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isLeftOut } from "@proj/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { linesOf, nodeArguments } from "../store-process.ts";
import { connectTo, temporaryFile } from "../temporary-database.ts";

const library = spawnSync("sh", ["-c", "ls /usr/lib/*/faketime/libfaketime.so.1"], {
  encoding: "utf8",
}).stdout.trim();

const isSkipped = isLeftOut(
  "the store while the clock is set",
  library !== "",
  "on Debian: apt-get install libfaketime",
);

test.skipIf(isSkipped)(
  "setting the clock forward or back while a row waits does not refuse the row",
  async () => {
    const file = await temporaryFile();
    const clock = join(dirname(file), "clock");
    writeFileSync(clock, "+0");
    const child = spawn(process.execPath, nodeArguments("writeWhenTold", file), {
      stdio: ["pipe", "pipe", "inherit"],
      env: {
        ...process.env,
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: "1",
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
      },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const lines = linesOf(child);
    const line = async () => (await lines.next()).value;
    expect(await line()).toBe("open");
    const other = connectTo(file);
    for (const offset of ["+2d", "-2d", "+1h"]) {
      other.exec("begin immediate");
      child.stdin.write("\n");
      expect(await line()).toBe("begun");
      writeFileSync(clock, offset);
      other.exec("commit");
      // The program ends when its row is refused.
      expect(await line()).toBe("stored");
    }
    expect(other.prepare("select count(*) from stored_steps").pluck().get()).toBe(3);
  },
);
