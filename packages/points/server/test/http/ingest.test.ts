import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databases } from "../storage/temporary-storage.ts";
import {
  now,
  problemOf,
  type ServedStore,
  secret,
  servingOn,
  signed,
  swap,
} from "./served-store.ts";

describe.each(databases)("on %s", (database) => {
  const serveStore = servingOn(database);

  const open = (max_body_bytes = 2 ** 20) =>
    serveStore([], { ingest_secret: secret, max_body_bytes });

  let shared: ServedStore;
  beforeAll(async () => {
    shared = await open();
  });
  afterAll(() => shared?.[Symbol.asyncDispose]());

  test("signed events are stored, and in the ranking of the next snapshot", async () => {
    await using served = await open();
    const events = [swap("a", 2), swap("b", 3)];
    const response = await served.ask("/ingest", signed(JSON.stringify(events)));
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ lines: 2, stored: 2, repeated: 0, refused: 0 });
    await served.store.buildSnapshot();
    const page = await served.ask("/api/main/total/null");
    expect(await page.json()).toMatchObject({ leaderboard: [{ address: "b" }, { address: "a" }] });
  });

  test("a single event needs no list, and repeating it counts once", async () => {
    const text = JSON.stringify(swap("alone", 2));
    await shared.ask("/ingest", signed(text));
    const again = await shared.ask("/ingest", signed(text));
    expect(await again.json()).toMatchObject({ lines: 1, stored: 0, repeated: 1 });
  });

  const body = JSON.stringify(swap("a", 2));
  const without = (name: string, text: string): RequestInit => {
    const init = signed(text);
    const { [name]: _, ...headers } = init.headers as Record<string, string>;
    return { ...init, headers };
  };
  const minutes = (count: number) => new Date(Date.now() + count * 60_000);
  const anotherKey = `whsec_${Buffer.from("another").toString("base64")}`;

  test.each<[string, (text: string) => RequestInit]>([
    ["no signature", (text) => ({ method: "POST", body: text })],
    ["no webhook-id", (text) => without("webhook-id", text)],
    ["no webhook-timestamp", (text) => without("webhook-timestamp", text)],
    ["another key", (text) => signed(text, { key: anotherKey })],
    ["another body", (text) => ({ ...signed(`${text} `), body: text })],
    ["six minutes ago", (text) => signed(text, { time: minutes(-6) })],
    ["in six minutes", (text) => signed(text, { time: minutes(6) })],
  ])("%s: 401, and nothing is stored", async (what, init) => {
    const text = JSON.stringify(swap(what.replaceAll(" ", "-"), 2));
    const response = await shared.ask("/ingest", init(text));
    expect(response.headers.get("www-authenticate")).toBe("StandardWebhooks");
    expect(await problemOf(response)).toMatchObject({ status: 401 });
    const taken = await shared.ask("/ingest", signed(text));
    expect(await taken.json()).toMatchObject({ stored: 1, repeated: 0 });
  });

  test("a bad event is reported by its place: all are refused, or with skip the others are stored", async () => {
    await using served = await open();
    const future = { ...swap("b", 1), time: now + 3_600 };
    const negative = { ...swap("c", 1), usdValue: "-1" };
    const init = () => signed(JSON.stringify([swap("a", 2), future, negative]));
    const refused = await served.ask("/ingest", init());
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      detail: expect.stringContaining("line 2"),
      report: { lines: 3, refused: 2, stored: 0, errors: [{ line: 2 }, { line: 3 }] },
    });
    const skipped = await served.ask("/ingest?onError=skip", init());
    expect(skipped.status).toBe(200);
    expect(await skipped.json()).toMatchObject({ lines: 3, stored: 1, refused: 2 });
  });

  test.each([
    ["no JSON", "{", 400, /not JSON/],
    ["empty", "", 400, /not JSON/],
    ["too many", JSON.stringify(new Array(10_001).fill(0)), 413, /10001 events are too many/],
  ])("a body that is %s is refused", async (_what, text, status, message) => {
    const problem = await problemOf(await shared.ask("/ingest", signed(text)));
    expect(problem).toMatchObject({ status, detail: expect.stringMatching(message) });
  });

  test("an unknown value of onError is answered 400", async () => {
    const response = await shared.ask("/ingest?onError=maybe", signed(body));
    expect(await problemOf(response)).toMatchObject({ status: 400 });
  });

  test("a body above the limit is answered 413", async () => {
    await using served = await open(2_000);
    const large = JSON.stringify({ ...swap("a", 1), more: "x".repeat(2_000) });
    const problem = await problemOf(await served.ask("/ingest", signed(large)));
    expect(problem).toMatchObject({ status: 413, detail: expect.stringContaining("2000 bytes") });
  });

  test("a cursor is stored with its events, and only if it has the expected value", async () => {
    await using served = await open();
    const post = (events: unknown[], cursor: object) =>
      served.ask("/ingest", signed(JSON.stringify({ events, cursor })));
    const cursor = async () => {
      const { headers = {} } = signed("");
      return (await served.ask("/ingest/solana", { headers })).json();
    };
    expect(await cursor()).toEqual({ name: "solana", value: null });
    const first = { name: "solana", value: "slot 7", previous: null };
    expect((await post([swap("a", 1)], first)).status).toBe(200);
    expect(await cursor()).toEqual({ name: "solana", value: "slot 7" });
    // Another indexer started from the same place.
    const behind = await post([swap("b", 1)], { ...first, value: "slot 8" });
    expect(behind.status).toBe(409);
    expect(await behind.json()).toMatchObject({ cursor: "slot 7" });
    // One bad event: neither the others nor the cursor are stored.
    const bad = { name: "solana", value: "slot 9", previous: "slot 7" };
    expect((await post([{ ...swap("c", 1), time: -1 }], bad)).status).toBe(400);
    expect(await cursor()).toMatchObject({ value: "slot 7" });
    expect((await post([], bad)).status).toBe(200);
    expect(await cursor()).toMatchObject({ value: "slot 9" });
    const known = await served.store.ingest([swap("a", 1), swap("b", 1)]);
    expect(known).toMatchObject({ stored: 1, repeated: 1 });
    expect((await served.ask("/ingest/solana")).status).toBe(401);
    expect((await post([], { name: "a b", value: "" })).status).toBe(400);
  });

  test("an event slightly ahead of this clock is accepted, and counts from then on", async () => {
    await using served = await open();
    const soon = { ...swap("early", 1), time: Math.floor(Date.now() / 1_000) + 10 };
    const response = await served.ask("/ingest", signed(JSON.stringify(soon)));
    expect(await response.json()).toMatchObject({ stored: 1 });
    await served.store.buildSnapshot();
    expect(await (await served.ask("/api/main/total/null")).json()).toMatchObject({
      totalItems: 0,
    });
  });

  test("how far an event may be ahead is the program's clockTolerance", async () => {
    const program = { clockTolerance: 100 };
    await using served = await serveStore([], { ingest_secret: secret, program });
    const time = Math.floor(Date.now() / 1_000);
    const [near, far] = [90, 200].map((ahead) => ({
      ...{ ...swap(`ahead-${ahead}`, 1), time: time + ahead },
    }));
    const all = signed(JSON.stringify([near, far]));
    const response = await served.ask("/ingest?onError=skip", all);
    expect(await response.json()).toMatchObject({
      ...{ stored: 1, refused: 1 },
      errors: [
        { line: 2, message: expect.stringMatching(/is in the future: .* clockTolerance is 100/) },
      ],
    });
  });

  test("events can only be posted", async () => {
    const response = await shared.ask("/ingest");
    expect(response.headers.get("allow")).toBe("POST, OPTIONS");
    expect(await problemOf(response)).toMatchObject({ status: 405 });
  });

  test("an invalid secret and a prefix that collides are errors at the start", async () => {
    await expect(serveStore([], { ingest_secret: "secret" })).rejects.toThrow(/whsec_/);
    await expect(serveStore([], { prefix: "price" })).rejects.toThrow(/taken twice/);
  });
});
