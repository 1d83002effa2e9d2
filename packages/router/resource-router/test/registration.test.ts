import { expect, test } from "vitest";
import { createRouter, group, type ItemContext, type Operations, resource } from "../src/index.ts";
import { ask } from "./ask.ts";
import { serve } from "./serve.ts";

test("the operations may be methods of a class instance", async () => {
  class Shelf implements Operations {
    readonly #snips = new Map([["1", "one"]]);
    index(): readonly string[] {
      return [...this.#snips.keys()];
    }
    find({ id }: ItemContext): unknown {
      return this.#snips.get(id);
    }
  }
  const { port } = await serve(createRouter([resource("snips", new Shelf())]).middleware);
  expect((await ask(port, "/snips")).text).toBe('["1"]');
  expect((await ask(port, "/snips/1")).text).toBe('"one"');
  expect((await ask(port, "/snips/2")).status).toBe(404);
});

test.each(["", "a/b", "/a", "a b", "é", "a%20b", ".", "..", "a?b"])(
  "'%s' is not a path name",
  (name) => {
    expect(() => resource(name, {})).toThrow(TypeError);
    expect(() => resource(name, {})).toThrow(JSON.stringify(name));
  },
);

test.each(["", "/api", "api/", "api//v1", "api/.."])("'%s' is not a prefix", (prefix) => {
  expect(() => group(prefix, [])).toThrow(TypeError);
});

test("a path that is used twice is an error that names it", () => {
  const [snips, api] = [resource("snips", {}), resource("api", {})];
  expect(() => createRouter([snips, snips])).toThrow("'/snips'");
  expect(() => createRouter([group("api", [snips]), group("api", [snips])])).toThrow(
    "'/api/snips'",
  );
  expect(() => createRouter([api, group("api", [snips])])).toThrow("'/api'");
  expect(() => createRouter([group("api/v1", []), group("api", [resource("v1", {})])])).toThrow(
    "'/api/v1'",
  );
});

test("names with equal hashes are distinguished", async () => {
  // "Aa" and "BB" have the same hash if each character adds to 31 times the previous value.
  const router = createRouter(["Aa", "BB", "AaBB"].map((name) => resource(name, {})));
  for (const name of ["Aa", "BB", "AaBB"])
    expect(router.match("GET", `/${name}`)?.resource).toBe(name);
  expect(router.match("GET", "/BBAa")).toBeNull();
  // It begins with a name, and has that name's hash.
  const snips = createRouter(["snips", "a-longer-name"].map((name) => resource(name, {})));
  expect(snips.match("GET", "/snips1ktpbzp")).toBeNull();
});

test("an operation that is not a function is an error that names it", () => {
  const operations: object = { find: "me" };
  expect(() => resource("snips", operations)).toThrow("'find' of 'snips'");
});

test.each([0, -1, 1.5, Number.NaN, 2 ** 31])("%d is not a limit", (value) => {
  expect(() => createRouter([], { maxBodyBytes: value })).toThrow("maxBodyBytes");
  expect(() => createRouter([], { bodyTimeoutMs: value })).toThrow("bodyTimeoutMs");
  expect(() => createRouter([], { stallTimeoutMs: value })).toThrow(RangeError);
});

test("match says what a request addresses", () => {
  const operations = { index: () => [], find: () => null };
  const router = createRouter([group("api", [resource("snips", operations)])]);
  const snips = (operation: string | null, id: string | null) => ({
    resource: "snips",
    operation,
    id,
  });
  expect(router.match("GET", "/api/snips/a%20b?x=1")).toEqual(snips("find", "a b"));
  expect(router.match("HEAD", "/api/snips/")).toEqual(snips("index", ""));
  expect(router.match("PUT", "/api/snips/7")).toEqual(snips(null, "7"));
  expect(router.match("GET", "/api/snips/%")).toEqual(snips("find", null));
  for (const target of ["/api", "/snips", "*", "", "/api/snips/1/2"])
    expect(router.match("GET", target)).toBeNull();
});
