import { startDemoUpstream, temporaryFolder } from "@proj/test-kit";
import { temporaryPostgres } from "@proj/test-kit/postgres";
import { expect, test } from "vitest";
import { startLoad, type WholeAnswer } from "./load.ts";
import { cloudRows, type StoredRow, serveGateway, storedRows } from "./served-gateway.ts";

const keyOf = ({ session_id, step_id }: WholeAnswer | StoredRow): string =>
  `${session_id} step ${step_id}`;

test.each(["sqlite", "cloud"])(
  "an answer that a caller received in full is stored exactly once, however often the gateway is killed under load (storage_type %s)",
  async (storage_type) => {
    await using folder = await temporaryFolder();
    await using database = storage_type === "cloud" ? await temporaryPostgres() : null;
    const storage = database
      ? `storage_type: cloud\nstorage_config: { db_url: "${database.url}" }`
      : undefined;
    await using upstream = await startDemoUpstream({ delayMs: 1 });
    const whole: WholeAnswer[] = [];
    for (const answers of [150, 90, 200]) {
      const { program, url } = await serveGateway(folder.path, upstream.url, "", storage);
      await using running = program;
      const load = startLoad(url, 32);
      await load.reached(answers);
      running.kill("SIGKILL");
      expect(await running.exit()).toEqual({ code: null, signal: "SIGKILL" });
      await load.ended();
      expect(load.refused).toEqual([]);
      whole.push(...load.whole);
    }
    const rows = database ? await cloudRows(database.url) : storedRows(folder.path);
    const stored = rows.map(keyOf);
    expect(whole.length).toBeGreaterThanOrEqual(440);
    // No number was given twice, not even to a request before a restart and another one after it.
    expect(new Set(whole.map(keyOf)).size).toBe(whole.length);
    expect(new Set(stored).size).toBe(stored.length);
    expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(rows.length);
    const successes = rows.filter(({ status_code }) => status_code === 200);
    const histories = new Map(successes.map((row) => [keyOf(row), row.messages]));
    const wrong = whole.filter((answer) => histories.get(keyOf(answer)) !== answer.messages);
    expect(wrong.map(keyOf)).toEqual([]);
  },
  60_000,
);
