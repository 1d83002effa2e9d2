import { rawRequest } from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databases } from "../storage/temporary-storage.ts";
import { problemOf, type ServedStore, servingOn, swap } from "./served-store.ts";

describe.each(databases)("on %s", (database) => {
  const serveStore = servingOn(database);

  const longAddress = "a".repeat(129);

  let served: ServedStore;
  beforeAll(async () => {
    served = await serveStore([swap("a", 3), swap("b", 2), swap("c", 1)]);
  });
  afterAll(async () => {
    await served?.[Symbol.asyncDispose]();
    expect(served?.errors).toEqual([]);
  });

  test.each([
    ["/api/other/total/a", /'other' is not the network of this server, 'main'/],
    ["/api/Main/lp/null", /'Main' is not the network/],
    ["/api/other/swaps", /'other' is not the network/],
    ["/price/other", /'other' is not the network/],
    ["/price/MAIN?address=x", /'MAIN' is not the network/],
    ["/api/main/total/a%20b", /'a b' is not an address/],
    ["/api/main/total/a%2Fb", /'a\/b' is not an address/],
    ["/api/main/total/%00", /is not an address/],
    ["/api/main/total/%zz", /malformed escape/],
    ["/api/main/total/%C3", /malformed escape/],
    [`/api/main/total/${longAddress}`, /1 to 128 characters/],
    ["/api/quest/address/%E2%82%AC", /'€' is not an address/],
    [`/api/content-program/${longAddress}`, /is not an address/],
    ["/price/main?address=", /'' is not a token's address/],
    ["/price/main?address=x&address=y%20z", /'y z' is not a token's address/],
  ])("%s is answered 400", async (path, message) => {
    const { status, detail } = await problemOf(await served.ask(path));
    expect(status).toBe(400);
    expect(detail).toMatch(message);
  });

  test.each([
    ["offset=-1", /'offset' must be a whole number of at least 0, not '-1'/],
    ["offset=1.5", /not '1.5'/],
    ["offset=", /not ''/],
    ["offset=abc", /not 'abc'/],
    ["offset=1e3", /not '1e3'/],
    ["offset=0x10", /not '0x10'/],
    ["offset=%2B1", /not '\+1'/],
    ["offset=1%20", /not '1 '/],
    ["offset=NaN", /not 'NaN'/],
    ["offset=١", /not '١'/],
    ["size=-5", /'size' must be/],
    ["size=2.0", /'size' must be/],
    ["size=Infinity", /'size' must be/],
    ["offset=1&offset=2", /'offset' is in the query 2 times/],
    ["size=1&size=1", /'size' is in the query 2 times/],
    ["snapshot=1&snapshot=2", /'snapshot' is in the query 2 times/],
  ])("?%s is answered 400", async (query, message) => {
    for (const ranking of ["total", "lp", "swaps"]) {
      const { status, detail } = await problemOf(
        await served.ask(`/api/main/${ranking}/a?${query}`),
      );
      expect(status).toBe(400);
      expect(detail).toMatch(message);
    }
  });

  const huge = "9".repeat(40);

  test.each([
    ["offset=3", []],
    [`offset=${Number.MAX_SAFE_INTEGER}`, []],
    ["offset=9007199254740993", []],
    [`offset=${huge}`, []],
    ["size=0", []],
    ["size=1001", ["a", "b", "c"]],
    [`size=${huge}`, ["a", "b", "c"]],
    [`offset=2&size=${huge}`, ["c"]],
    [`offset=${huge}&size=${huge}`, []],
    ["offset=001&size=01", ["b"]],
    ["", ["a", "b", "c"]],
  ])("?%s is a valid page", async (query, addresses) => {
    const response = await served.ask(`/api/main/total/b?${query}`);
    expect(response.status).toBe(200);
    const { user, leaderboard, totalItems } = (await response.json()) as {
      user: { rank: number };
      leaderboard: { address: string }[];
      totalItems: number;
    };
    expect(leaderboard.map(({ address }) => address)).toEqual(addresses);
    expect(user.rank).toBe(2);
    expect(totalItems).toBe(3);
  });

  test("a size above 1000 is capped at 1000, and defaults to 25", async () => {
    const many = Array.from({ length: 1_010 }, (_, index) => swap(`m${index}`, index + 1));
    await using large = await serveStore(many);
    const records = async (query: string): Promise<number> => {
      const response = await large.ask(`/api/main/swaps/null${query}`);
      return ((await response.json()) as { leaderboard: [] }).leaderboard.length;
    };
    expect(await records("")).toBe(25);
    expect(await records("?size=1000")).toBe(1_000);
    expect(await records("?size=1001")).toBe(1_000);
  });

  test("an offset of 400 digits is accepted", async () => {
    const digits = "9".repeat(400);
    const response = await served.ask(`/api/main/total/b?offset=${digits}&size=${digits}`);
    expect(await response.json()).toMatchObject({ leaderboard: [], totalItems: 3 });
  });

  test("an unknown address has no user", async () => {
    const response = await served.ask("/api/main/total/nobody?size=1");
    expect(await response.json()).toMatchObject({ user: null, totalItems: 3 });
  });

  test("a program may restrict addresses further", async () => {
    await using strict = await serveStore([swap("0x0001", 1)], {
      program: { addressPattern: "0x[0-9a-f]{4}" },
    });
    expect((await strict.ask("/api/main/total/0x12ab")).status).toBe(200);
    expect((await strict.ask("/api/main/total/null")).status).toBe(200);
    const { detail } = await problemOf(await strict.ask("/api/main/total/a0x12ab"));
    expect(detail).toContain("0x[0-9a-f]{4}");
  });

  test.each([
    "/api",
    "/api/",
    "/api/confi",
    "/api/main",
    "/api/main/total",
    "/api/main/total/",
    "/api/main/total/a/",
    "/api/main/total/a/b",
    "/api/main/best/a",
    "/api/quest/address",
    "/api/quest",
    "/api/swap/price-feeds/x",
    "/api/content-program",
    "/price",
    "/price/main/x",
    "//api/config",
    "/API/config",
    "/page/style.ts",
    "/page/%2e%2e/index.ts",
    "/ingest",
  ])("%s is answered 404", async (path) => {
    const { status } = await problemOf(await served.ask(path));
    expect(status).toBe(404);
  });

  test.each([
    ["POST", "/api/config"],
    ["DELETE", "/api/main/total/a"],
    ["PATCH", "/price/main"],
    ["PUT", "/"],
  ])("%s %s is answered 405 with the allowed methods", async (method, path) => {
    const response = await served.ask(path, { method });
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect((await problemOf(response)).status).toBe(405);
  });

  test("a snapshot that does not exist is answered 410", async () => {
    for (const snapshot of ["no-such", "", "0", "999999999", "%00"]) {
      const response = await served.ask(`/api/main/total/a?snapshot=${snapshot}`);
      expect((await problemOf(response)).status).toBe(410);
    }
  });

  test("dots that a client did not resolve are not a valid address", async () => {
    await using connection = await rawRequest(
      Number(new URL(served.url).port),
      "GET /api/main/total/.. HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
    );
    expect(await connection.readUntil("\r\n")).toContain("400");
  });
});
