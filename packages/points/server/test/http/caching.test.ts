import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { databases } from "../storage/temporary-storage.ts";
import { problemOf, type ServedStore, servingOn, swap } from "./served-store.ts";

describe.each(databases)("on %s", (database) => {
  const serveStore = servingOn(database);

  let shared: ServedStore;
  beforeAll(async () => {
    shared = await serveStore([swap("a", 1)]);
  });
  afterAll(() => shared?.[Symbol.asyncDispose]());

  const untilNext = [
    "/api/config",
    "/api/main/total/a",
    "/api/main/lp/null?offset=0&size=5",
    "/api/main/swaps/a",
    "/api/quest/address/a",
  ];
  const asked = ["/api/content-program/a", "/api/swap/price-feeds", "/price/main"];
  const constant = ["/api/quest/description", "/", "/page/main.js"];

  test.each([
    ...untilNext.map((path) => [path, /^public, max-age=(?:[1-9]|[1-3]\d|4[0-5])$/] as const),
    ...asked.map((path) => [path, /^no-cache$/] as const),
    ...constant.map((path) => [path, /^public, max-age=45$/] as const),
  ])(
    "%s is cacheable as %s, revalidated by ETag, and readable from any origin",
    async (path, kept) => {
      const first = await shared.ask(path, { headers: { origin: "https://elsewhere.example" } });
      expect(first.status).toBe(200);
      expect(first.headers.get("cache-control")).toMatch(kept);
      expect(first.headers.get("access-control-allow-origin")).toBe("*");
      expect(first.headers.get("access-control-expose-headers")).toContain("x-snapshot");
      // A page is served compressed and uncompressed, so its ETag is weak.
      const etag = (first.headers.get("etag") ?? "").replace(/^W\//, "");
      expect(etag).toMatch(/^"[^"]+"$/);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const again = await shared.ask(path, { headers: { "if-none-match": known } });
        expect(again.status).toBe(304);
        expect(again.headers.get("etag")).toBe(first.headers.get("etag"));
        expect(again.headers.get("cache-control")).toMatch(kept);
        expect(again.headers.get("x-snapshot")).toBe(first.headers.get("x-snapshot"));
        expect(await again.text()).toBe("");
      }
      const other = await shared.ask(path, { headers: { "if-none-match": '"other"' } });
      expect(other.status).toBe(200);
      const head = await shared.ask(path, { method: "HEAD" });
      expect(head.status).toBe(200);
      expect(head.headers.get("etag")).toBe(first.headers.get("etag"));
      expect(head.headers.get("content-length")).toBe(first.headers.get("content-length"));
    },
  );

  test("an answer is cacheable until the next snapshot is due, and no longer", async () => {
    await using served = await serveStore([swap("a", 1)]);
    const { time } = (await served.store.readSnapshot()) ?? { time: 0 };
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      for (const path of untilNext)
        for (const [age, left] of [
          [0, 45],
          [5, 40],
          [44, 1],
          // The next snapshot is late: revalidate soon.
          [45, 1],
          [500, 1],
          // A clock was set back.
          [-500, 45],
        ] as const) {
          vi.setSystemTime((time + age) * 1_000);
          const answer = await served.ask(path);
          expect(answer.headers.get("cache-control")).toBe(`public, max-age=${left}`);
        }
    } finally {
      vi.useRealTimers();
    }
  });

  test("pages of a named snapshot are immutable", async () => {
    const snapshot = (await shared.ask("/api/main/total/a")).headers.get("x-snapshot");
    const pinned = await shared.ask(`/api/main/total/a?snapshot=${snapshot}`);
    expect(pinned.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  });

  test("prices have their own max-age", async () => {
    await using served = await serveStore([swap("a", 1)], { price_max_age_s: 3 });
    for (const path of ["/api/swap/price-feeds", "/price/main", "/price/main?address=X"])
      expect((await served.ask(path)).headers.get("cache-control")).toBe("public, max-age=3");
  });

  test("before the first snapshot, rankings and quests are answered 503 and not cacheable", async () => {
    await using fresh = await serveStore();
    for (const path of untilNext.slice(1)) {
      const answer = await fresh.ask(path);
      expect(answer.headers.get("retry-after")).toBe("2");
      expect(await problemOf(answer)).toMatchObject({
        ...{ status: 503, detail: "No snapshot has been built yet. Try again soon." },
      });
    }
    const config = await fresh.ask("/api/config");
    expect(config.headers.get("cache-control")).toBe("no-cache");
    expect(await config.json()).toMatchObject({ lastSnapTimestamp: 0 });
    await fresh.store.buildSnapshot();
    const counted = await fresh.ask("/api/main/total/a");
    expect(await counted.json()).toEqual({ user: null, leaderboard: [], totalItems: 0 });
  });

  test("a new snapshot has another ETag, and the old one is still readable", async () => {
    await using served = await serveStore([swap("a", 1)]);
    const path = "/api/main/total/b";
    const first = await served.ask(path);
    const snapshot = first.headers.get("x-snapshot");
    const before = await first.json();
    await served.store.ingest([swap("b", 5)]);
    await served.store.buildSnapshot();
    const etag = first.headers.get("etag") ?? "";
    const second = await served.ask(path, { headers: { "if-none-match": etag } });
    expect(second.status).toBe(200);
    expect(second.headers.get("x-snapshot")).not.toBe(snapshot);
    expect(await second.json()).toMatchObject({ user: { address: "b", rank: 1 }, totalItems: 2 });
    const pinned = await served.ask(`${path}?snapshot=${snapshot}`);
    expect(pinned.headers.get("x-snapshot")).toBe(snapshot);
    expect(await pinned.json()).toEqual(before);
  });

  test("a page that is unchanged in a new snapshot keeps its ETag, and names the new snapshot", async () => {
    await using served = await serveStore([swap("a", 1)]);
    const path = "/api/main/lp/null";
    const first = await served.ask(path);
    await served.store.buildSnapshot();
    const headers = { "if-none-match": first.headers.get("etag") ?? "" };
    const second = await served.ask(path, { headers });
    expect(second.status).toBe(304);
    expect(second.headers.get("x-snapshot")).toMatch(/./);
    expect(second.headers.get("x-snapshot")).not.toBe(first.headers.get("x-snapshot"));
  });

  test("the last three snapshots are kept; earlier pinned ones are answered 410", async () => {
    await using served = await serveStore([swap("a", 1)]);
    const path = "/api/main/total/a";
    const oldest = (await served.ask(path)).headers.get("x-snapshot");
    for (let round = 0; round < 2; round += 1) await served.store.buildSnapshot();
    expect((await served.ask(`${path}?snapshot=${oldest}`)).status).toBe(200);
    await served.store.buildSnapshot();
    const gone = await problemOf(await served.ask(`${path}?snapshot=${oldest}`));
    expect(gone).toMatchObject({
      status: 410,
      detail: expect.stringContaining("no longer kept"),
    });
  });

  test("pages of other origins may send conditional requests", async () => {
    for (const path of ["/api/config", "/api/main/total/a", "/"]) {
      const response = await shared.ask(path, {
        method: "OPTIONS",
        headers: { origin: "https://elsewhere.example", "access-control-request-method": "GET" },
      });
      expect(response.status).toBe(204);
      expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
      expect(response.headers.get("access-control-allow-methods")).toContain("GET");
      expect(response.headers.get("access-control-allow-headers")).toBe("if-none-match");
    }
  });

  test("while the storage cannot be read, the answer is 503, without the reason", async () => {
    await using served = await serveStore([swap("a", 1)]);
    await served.store.close();
    for (const path of ["/api/config", "/api/main/total/a", "/price/main"]) {
      const response = await served.ask(path);
      expect(response.headers.get("retry-after")).toBe("2");
      expect(await problemOf(response)).toMatchObject({
        ...{ status: 503, detail: "The data cannot be read at the moment. Try again later." },
      });
    }
    expect((await served.ask("/api/quest/description")).status).toBe(200);
  });
});
