import { randomBytes } from "node:crypto";
import { startDemoUpstream, temporaryFolder } from "@proj/test-kit";
import { temporaryPostgres } from "@proj/test-kit/postgres";
import { expect, test } from "vitest";
import { startLoad, type WholeAnswer } from "./load.ts";
import {
  cloudRows,
  cloudValues,
  type StoredRow,
  serveGateway,
  storedRows,
  storedValues,
} from "./served-gateway.ts";

const keyOf = ({ session_id, step_id }: WholeAnswer | StoredRow): string =>
  `${session_id} step ${step_id}`;

test.each(["sqlite", "cloud"])(
  "an answer that a caller received in full is stored exactly once, its image too, however often the gateway is killed under load (storage_type %s)",
  async (storage_type) => {
    await using folder = await temporaryFolder();
    await using database = storage_type === "cloud" ? await temporaryPostgres() : null;
    const storage = database
      ? `storage_type: cloud\nstorage_config: { db_url: "${database.url}" }`
      : undefined;
    await using upstream = await startDemoUpstream({ delayMs: 1 });
    const image = `data:image/png;base64,${randomBytes(750_000).toString("base64")}`;
    const whole: WholeAnswer[] = [];
    for (const answers of [150, 90, 200]) {
      const { program, url } = await serveGateway(folder.path, upstream.url, "", storage);
      await using running = program;
      const load = startLoad(url, 32, image);
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
    // A session without a job keeps its own values.
    const seeing = successes.filter(({ messages }) => messages.includes(image));
    expect(seeing.length).toBeGreaterThan(10);
    const values = database ? await cloudValues(database.url) : storedValues(folder.path);
    const sessions = new Set(seeing.map(({ session_id }) => session_id));
    expect(values).toEqual([...sessions].map(() => image));
  },
);
