import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createServiceLog } from "../../src/service-log/service-log.ts";

async function temporaryPath(...names: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "service-log-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, ...names);
}

async function records(path: string): Promise<Record<string, unknown>[]> {
  const lines = (await readFile(path, "utf8")).split("\n");
  expect(lines.pop()).toBe("");
  return lines.map((line) => JSON.parse(line));
}

describe("the service log", () => {
  test("a new file can be read only by its owner and group", async () => {
    const path = await temporaryPath("gateway.log");
    await createServiceLog({ path }).close();
    expect(((await stat(path)).mode & 0o777).toString(8)).toBe("640");
  });

  test("writes one line of JSON per message, creating folders", async () => {
    const path = await temporaryPath("logs", "deep", "gateway.log");
    const log = createServiceLog({ path });
    log.info({ port: 8000 }, "listening");
    log.warn({}, "slow");
    log.error({ model: "small" }, "failed");
    await log.close();
    const [first, ...others] = await records(path);
    expect(first).toEqual({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      pid: process.pid,
      port: 8000,
      msg: "listening",
    });
    expect(others).toMatchObject([
      { level: "warn", msg: "slow" },
      { level: "error", msg: "failed", model: "small" },
    ]);
  });

  test("appends to an existing file", async () => {
    const path = await temporaryPath("gateway.log");
    for (const run of [1, 2]) {
      const log = createServiceLog({ path });
      log.info({ run }, "started");
      await log.close();
    }
    expect(await records(path)).toMatchObject([{ run: 1 }, { run: 2 }]);
  });

  test("has written everything once it is closed", async () => {
    const path = await temporaryPath("gateway.log");
    const log = createServiceLog({ path });
    const numbers = Array.from({ length: 2_000 }, (_, index) => index);
    for (const number of numbers) log.info({ number }, "x".repeat(100));
    await Promise.all([log.close(), log.close()]);
    expect((await records(path)).map((record) => record.number)).toEqual(numbers);
  });

  test("omits messages below its level", async () => {
    const path = await temporaryPath("gateway.log");
    const log = createServiceLog({ path, level: "warn" });
    log.info({}, "left out");
    log.warn({}, "kept");
    await log.close();
    expect(await records(path)).toMatchObject([{ msg: "kept" }]);
  });

  test("an unknown level is refused by name", async () => {
    const path = await temporaryPath("gateway.log");
    expect(() => createServiceLog({ path, level: "loud" })).toThrow(/'loud'.*info/);
  });

  test("if a field cannot be read, the line is written without its fields", async () => {
    const path = await temporaryPath("gateway.log");
    const log = createServiceLog({ path });
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    log.info({ circular }, "circular");
    log.info(
      {
        get broken() {
          throw new Error("no such field");
        },
      },
      "broken",
    );
    await log.close();
    expect(await records(path)).toMatchObject([{ msg: "circular" }, { msg: "broken" }]);
  });
});

describe("an error in the service log", () => {
  test("is logged as type, message, code and stack, and nothing else", async () => {
    const path = await temporaryPath("gateway.log");
    const log = createServiceLog({ path });
    const cause = new Error("postgres://user:cause-secret@host refused");
    const failure = new TypeError("out of reach", { cause });
    Object.assign(failure, {
      code: "ECONNREFUSED",
      request: { headers: { authorization: "Bearer property-secret" } },
    });
    log.error({ err: failure }, "failed");
    await log.close();
    const text = await readFile(path, "utf8");
    expect(text).not.toMatch(/cause-secret|property-secret/);
    expect(JSON.parse(text).err).toEqual({
      type: "TypeError",
      message: "out of reach",
      code: "ECONNREFUSED",
      stack: failure.stack,
    });
  });

  test("that is not an Error is logged as its text, or only its type", async () => {
    const path = await temporaryPath("gateway.log");
    const log = createServiceLog({ path });
    log.error({ err: "just text" }, "failed");
    log.error({ err: { token: "object-secret" } }, "failed");
    log.error({ err: Object.create(null) }, "failed");
    await log.close();
    const text = await readFile(path, "utf8");
    expect(text).not.toContain("object-secret");
    expect((await records(path)).map((record) => record.err)).toMatchObject([
      { message: "just text" },
      { message: "a thrown object" },
      { message: "a thrown object" },
    ]);
  });
});
