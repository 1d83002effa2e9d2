import { startDemoUpstream, temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startLoad, type WholeAnswer } from "./load.ts";
import { type StoredRow, serveGateway, storedRows } from "./served-gateway.ts";

const keyOf = ({ session_id, step_id }: WholeAnswer | StoredRow): string =>
  `${session_id} step ${step_id}`;

test("what a caller had whole is in the database exactly once, however often the gateway is killed under load", async () => {
  await using folder = await temporaryFolder();
  await using upstream = await startDemoUpstream({ delayMs: 1 });
  const whole: WholeAnswer[] = [];
  for (const answers of [150, 90, 200]) {
    const { program, url } = await serveGateway(folder.path, upstream.url);
    await using running = program;
    const load = startLoad(url, 32);
    await load.reached(answers);
    running.kill("SIGKILL");
    expect(await running.exit()).toEqual({ code: null, signal: "SIGKILL" });
    await load.ended();
    expect(load.refused).toEqual([]);
    whole.push(...load.whole);
  }
  const rows = storedRows(folder.path);
  const stored = rows.map(keyOf);
  expect(whole.length).toBeGreaterThanOrEqual(440);
  // No number was given twice, not even to one request before and another one behind a restart.
  expect(new Set(whole.map(keyOf)).size).toBe(whole.length);
  expect(new Set(stored).size).toBe(stored.length);
  expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(rows.length);
  const successes = rows.filter(({ status_code }) => status_code === 200).map(keyOf);
  expect(whole.map(keyOf).filter((key) => !successes.includes(key))).toEqual([]);
}, 60_000);
