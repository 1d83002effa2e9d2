import { mkdir, readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { RequestLogConfig } from "@proj/gateway-protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { RequestLog } from "../../src/request-log/request-log.ts";
import { sampleEntry } from "./sample-entry.ts";
import { temporaryFolder } from "./temporary-folder.ts";

interface OpenLog {
  readonly log: RequestLog;
  readonly errors: string[];
}

function openLog(path: string, changes: Partial<RequestLogConfig> = {}): OpenLog {
  const defaults = { enabled: true, max_bytes: 1e8, backup_count: 5, body_limit_bytes: 16_384 };
  const errors: string[] = [];
  const log = new RequestLog({ ...defaults, path, ...changes }, (message) => errors.push(message));
  onTestFinished(() => log.close());
  return { log, errors };
}

function write(log: RequestLog, step_id: number): void {
  log.write(sampleEntry({ step_id, request_id: `req_${step_id}` }));
}

async function steps(path: string): Promise<number[]> {
  const lines = (await readFile(path, "utf8")).split("\n");
  expect(lines.pop()).toBe("");
  return lines.map((line) => JSON.parse(line).step_id);
}

const numbersTo = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => index + 1);

describe("writing", () => {
  test("lines reach the file without a flush", async () => {
    const path = join(await temporaryFolder(), "logs", "requests.jsonl");
    const { log, errors } = openLog(path);
    for (const step_id of numbersTo(3)) write(log, step_id);
    await expect.poll(() => steps(path)).toEqual([1, 2, 3]);
    write(log, 4);
    await expect.poll(() => steps(path)).toEqual([1, 2, 3, 4]);
    expect([log.lost, errors]).toEqual([0, []]);
  });

  test("flush writes every line", async () => {
    const path = join(await temporaryFolder(), "requests.jsonl");
    const { log } = openLog(path);
    write(log, 1);
    const first = log.flush();
    write(log, 2);
    await Promise.all([first, log.flush()]);
    expect(await steps(path)).toEqual([1, 2]);
  });

  test("a line added while others are being written is not lost", async () => {
    const path = join(await temporaryFolder(), "requests.jsonl");
    const { log } = openLog(path);
    write(log, 1);
    const flushed = log.flush();
    // The file is being opened by now.
    await setImmediate();
    write(log, 2);
    await flushed;
    await expect.poll(() => steps(path)).toEqual([1, 2]);
  });

  test("bytes may be reused as soon as write returns", async () => {
    const path = join(await temporaryFolder(), "requests.jsonl");
    const { log } = openLog(path);
    const request = Buffer.from('{"a":1}');
    log.write(sampleEntry({ request }));
    request.fill("x");
    await log.flush();
    expect(JSON.parse(await readFile(path, "utf8")).request).toBe('{"a":1}');
  });

  test("bodies are cut at the limit, or kept whole if it is 0", async () => {
    const folder = await temporaryFolder();
    const request = Buffer.alloc(20 * 1024 * 1024, "r");
    for (const [name, body_limit_bytes, length] of [
      ["cut", 10, 10],
      ["whole", 0, request.length],
    ] as const) {
      const { log } = openLog(join(folder, name), { body_limit_bytes });
      log.write(sampleEntry({ request }));
      await log.flush();
      expect(JSON.parse(await readFile(join(folder, name), "utf8")).request.length).toBe(length);
    }
  });

  test("a log that is not enabled makes no file", async () => {
    const folder = await temporaryFolder();
    const { log } = openLog(join(folder, "requests.jsonl"), { enabled: false });
    expect(log.enabled).toBe(false);
    write(log, 1);
    await log.close();
    expect([log.lost, await readdir(folder)]).toEqual([0, []]);
  });
});

describe("rotation under load", () => {
  test("neither loses nor repeats nor reorders a line", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "requests.jsonl");
    const { log, errors } = openLog(path, { max_bytes: 20_000, backup_count: 100 });
    let flushed = Promise.resolve();
    for (const step_id of numbersTo(2_000)) {
      write(log, step_id);
      if (step_id % 100 === 0) flushed = log.flush();
      if (step_id % 500 === 0) await flushed;
    }
    await log.close();
    const rotated = (await readdir(folder)).length - 1;
    expect(rotated).toBeGreaterThan(40);
    const found: number[] = [];
    for (let number = rotated; number > 0; number--) {
      const text = await readFile(`${path}.${number}`);
      expect(text.length).toBeLessThanOrEqual(20_000);
      found.push(...(await steps(`${path}.${number}`)));
    }
    found.push(...(await steps(path)));
    expect(found).toEqual(numbersTo(2_000));
    expect([log.lost, errors]).toEqual([0, []]);
  });
});

describe("a disk that fails", () => {
  test("a path that is a folder is reported once, and no caller waits", async () => {
    const folder = await temporaryFolder();
    const { log, errors } = openLog(folder);
    for (const step_id of numbersTo(3)) {
      write(log, step_id);
      await log.flush();
    }
    expect(errors).toEqual([expect.stringContaining(folder)]);
    expect(errors[0]).toContain("EISDIR");
    expect(log.lost).toBe(0);
    await log.close();
    expect(log.lost).toBe(3);
    expect(errors).toHaveLength(1);
  });

  test.skipIf(process.platform !== "linux")("a full disk likewise", async () => {
    const { log, errors } = openLog("/dev/full");
    write(log, 1);
    await log.flush();
    await log.close();
    expect(errors).toEqual([expect.stringContaining("ENOSPC")]);
    expect(log.lost).toBe(1);
  });

  test("kept lines are written once the file is writable again", async () => {
    const folder = await temporaryFolder();
    const parent = join(folder, "logs");
    await writeFile(parent, "a file where a folder is needed");
    const { log, errors } = openLog(join(parent, "requests.jsonl"));
    for (const step_id of numbersTo(3)) write(log, step_id);
    await expect.poll(() => errors).toHaveLength(1);
    await rm(parent);
    await expect.poll(() => steps(join(parent, "requests.jsonl"))).toEqual([1, 2, 3]);
    expect(log.lost).toBe(0);
  });

  test("a second failure is reported again", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "requests.jsonl");
    // Room for one line, so that every later one needs a rotation.
    const { log, errors } = openLog(path, { max_bytes: 500, backup_count: 1 });
    write(log, 1);
    await log.flush();
    for (const step_id of [2, 3]) {
      await rm(`${path}.1`, { force: true });
      await mkdir(`${path}.1`);
      write(log, step_id);
      await log.flush();
      await log.flush();
      expect(errors).toHaveLength(step_id - 1);
      await rmdir(`${path}.1`);
      await log.flush();
      expect(await steps(path)).toEqual([step_id]);
    }
    expect(log.lost).toBe(0);
  });

  test("kept lines are bounded, and dropped ones are counted", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "requests.jsonl");
    await mkdir(path);
    const { log } = openLog(path);
    const request = Buffer.alloc(16_384, "r");
    for (const step_id of numbersTo(1_500)) log.write(sampleEntry({ step_id, request }));
    const kept = 1_500 - log.lost;
    expect(kept * 16_384).toBeLessThan(16 * 1024 * 1024);
    expect(kept * 16_384).toBeGreaterThan(15 * 1024 * 1024);
    await log.flush();
    await rmdir(path);
    await log.flush();
    expect(await steps(path)).toEqual(numbersTo(kept));
  });
});

describe("close", () => {
  test("writes the remaining lines, and counts later ones as lost", async () => {
    const path = join(await temporaryFolder(), "requests.jsonl");
    const { log } = openLog(path);
    for (const step_id of numbersTo(2_000)) write(log, step_id);
    await Promise.all([log.close(), log.close()]);
    expect(await steps(path)).toEqual(numbersTo(2_000));
    write(log, 2_001);
    await log.close();
    expect(log.lost).toBe(1);
    expect(await steps(path)).toHaveLength(2_000);
  });
});
