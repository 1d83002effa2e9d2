import type { PointsEvent } from "@proj/points-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databases } from "../storage/temporary-storage.ts";
import {
  problemOf,
  type ServedStore,
  type ServeOptions,
  serveStore as serve,
  swap,
} from "./served-store.ts";

describe.each(databases)("on %s", (database) => {
  const serveStore = (events: readonly PointsEvent[] = [], options: ServeOptions = {}) =>
    serve(events, { ...options, database });

  let shared: ServedStore;
  beforeAll(async () => {
    shared = await serveStore([swap("a", 1)]);
  });
  afterAll(() => shared?.[Symbol.asyncDispose]());

  const paths = [
    "/api/config",
    "/api/main/total/a",
    "/api/main/lp/null?offset=0&size=5",
    "/api/main/swaps/a",
    "/api/quest/address/a",
    "/api/quest/description",
    "/api/content-program/a",
    "/api/swap/price-feeds",
    "/price/main",
    "/",
    "/page/main.js",
  ];

  test.each(paths)(
    "%s can be kept, asked about by its ETag, and read from any origin",
    async (path) => {
      const first = await shared.ask(path, { headers: { origin: "https://elsewhere.example" } });
      expect(first.status).toBe(200);
      expect(first.headers.get("cache-control")).toBe("public, max-age=45");
      expect(first.headers.get("access-control-allow-origin")).toBe("*");
      expect(first.headers.get("access-control-expose-headers")).toContain("x-snapshot");
      const etag = first.headers.get("etag") ?? "";
      expect(etag).toMatch(/^"[^"]+"$/);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const again = await shared.ask(path, { headers: { "if-none-match": known } });
        expect(again.status).toBe(304);
        expect(again.headers.get("etag")).toBe(etag);
        expect(again.headers.get("cache-control")).toBe("public, max-age=45");
        expect(again.headers.get("x-snapshot")).toBe(first.headers.get("x-snapshot"));
        expect(await again.text()).toBe("");
      }
      const other = await shared.ask(path, { headers: { "if-none-match": '"other"' } });
      expect(other.status).toBe(200);
      const head = await shared.ask(path, { method: "HEAD" });
      expect(head.status).toBe(200);
      expect(head.headers.get("etag")).toBe(etag);
      expect(head.headers.get("content-length")).toBe(first.headers.get("content-length"));
    },
  );

  test("a new snapshot has another ETag, and the old one can still be read", async () => {
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

  test("a page that is the same in a new snapshot keeps its ETag, and names the new one", async () => {
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

  test("the last three snapshots are kept; what was pinned before them is 410", async () => {
    await using served = await serveStore([swap("a", 1)]);
    const path = "/api/main/total/a";
    const oldest = (await served.ask(path)).headers.get("x-snapshot");
    for (let round = 0; round < 2; round += 1) await served.store.buildSnapshot();
    expect((await served.ask(`${path}?snapshot=${oldest}`)).status).toBe(200);
    await served.store.buildSnapshot();
    const gone = await problemOf(await served.ask(`${path}?snapshot=${oldest}`));
    expect(gone).toMatchObject({
      status: 410,
      detail: expect.stringContaining("not kept any more"),
    });
  });

  test("pages of other origins may ask conditionally", async () => {
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

  test("while the storage cannot be read, the answer is 503, and nothing of why", async () => {
    await using served = await serveStore([swap("a", 1)]);
    await served.store.close();
    for (const path of ["/api/config", "/api/main/total/a", "/price/main"]) {
      const response = await served.ask(path);
      expect(response.headers.get("retry-after")).toBe("2");
      expect(await problemOf(response)).toMatchObject({
        ...{ status: 503, detail: "The data cannot be read now. Try again." },
      });
    }
    expect((await served.ask("/api/quest/description")).status).toBe(200);
  });
});
