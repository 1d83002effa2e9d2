import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { type Hook, noContent, Problem, reply, requireVersion } from "../src/index.ts";
import { askBoth } from "./both.ts";

const date = "Wed, 21 Oct 2026 07:28:00 GMT";
const later = "Wed, 21 Oct 2026 07:28:01 GMT";
const sooner = "Wed, 21 Oct 2026 07:27:59 GMT";

test.each<readonly [given: Record<string, string>, asked: Record<string, string>, number]>([
  [{ "last-modified": date }, { "if-none-match": '"7"', "if-modified-since": date }, 200],
  [{ "last-modified": date }, { "if-none-match": "*" }, 304],
  [{ "last-modified": date }, { "if-modified-since": "Wednesday, 21-Oct-26 07:28:00 GMT" }, 304],
  [{ "last-modified": date }, { "if-modified-since": "Wed Oct 21 07:28:00 2026" }, 304],
  [{ "last-modified": date }, { "if-modified-since": "2026-10-22" }, 200],
  [{ "last-modified": date }, { "if-unmodified-since": date }, 200],
  [{ "last-modified": date }, { "if-unmodified-since": sooner }, 412],
  [{ "last-modified": date }, { "if-unmodified-since": "nonsense" }, 200],
  [{ etag: '"7"' }, { "if-unmodified-since": sooner }, 200],
  [{ etag: '"a7"' }, { "if-none-match": '"aW/7"' }, 200],
  [{ etag: '"7"' }, { "if-match": '"6"' }, 412],
  [
    { etag: '"7"', "last-modified": date },
    { "if-match": '"7"', "if-unmodified-since": sooner },
    200,
  ],
  [{ etag: '"7"' }, { "if-match": '"7"', "if-none-match": '"7"' }, 304],
  [{ etag: '"7"' }, { "if-match": '"6"', "if-none-match": '"7"' }, 412],
])("GET of an answer with %o, asked with %o, is %d", async (given, headers, status) => {
  const find = () => reply(200, "seven", given);
  for (const answered of await askBoth({ find }, {}, "/snips/7", { headers }))
    expect(answered.status).toBe(status);
});

test.each<readonly [asked: Record<string, string>, number]>([
  [{ "if-unmodified-since": date }, 204],
  [{ "if-unmodified-since": later }, 204],
  [{ "if-unmodified-since": sooner }, 412],
  [{ "if-match": '"7"', "if-unmodified-since": sooner }, 204],
  [{ "if-match": '"6"', "if-unmodified-since": date }, 412],
  [{ "if-modified-since": date }, 204],
])("a change of an item last modified at a time, asked with %o, is %d", async (asked, status) => {
  const headers = { ...asked };
  const find = () => reply(200, "seven", { etag: '"7"', "last-modified": date });
  const byTag = await askBoth({ find, delete: noContent }, { etags: true }, "/snips/7", {
    ...{ method: "DELETE", headers },
  });
  const modified = new Date(date);
  const byVersion = await askBoth(
    { delete: (context) => requireVersion(context, 7, modified) },
    ...([{}, "/snips/7", { method: "DELETE", headers }] as const),
  );
  expect([...byTag, ...byVersion].map((answered) => answered.status)).toEqual(
    new Array(4).fill(status),
  );
});

test("the rights of a caller are asked before its preconditions", async () => {
  let finds = 0;
  const onlyReaders: Hook = ({ method, headers }, next) => {
    if (headers.authorization === undefined) throw new Problem(401);
    if (method !== "GET" && headers.authorization !== "writer") return new Problem(403);
    return next();
  };
  const operations = {
    find: () => {
      finds += 1;
      return "seven";
    },
    update: () => "changed",
  };
  const options = { etags: true, hooks: [onlyReaders] };
  const statuses = async (authorization?: string): Promise<readonly number[]> => {
    const headers = { "if-match": '"stale"', ...(authorization && { authorization }) };
    const asked = { method: "PUT", headers };
    return (await askBoth(operations, options, "/snips/7", asked)).map(({ status }) => status);
  };
  expect(await statuses()).toEqual([401, 401]);
  expect(await statuses("reader")).toEqual([403, 403]);
  expect(finds).toBe(0);
  expect(await statuses("writer")).toEqual([412, 412]);
  expect(finds).toBe(2);
});

test.each([
  [
    "thrown",
    () => {
      throw new Problem(403, "Not yours.");
    },
  ],
  ["returned", () => new Problem(403, "Not yours.")],
  ["replied", () => reply(403, "Not yours.")],
])(
  "an item that 'find' refuses, %s, is not changed, and the refusal is the answer",
  async (_how, find) => {
    const changed: unknown[] = [];
    const update = () => changed.push(1);
    const asked = { method: "PUT", headers: { "if-match": "*" } };
    for (const { status, text } of await askBoth(
      { find, update },
      { etags: true },
      "/snips/7",
      asked,
    )) {
      expect(status).toBe(403);
      expect(text).toContain("Not yours.");
    }
    expect(changed).toEqual([]);
  },
);

test("an item that is missing matches no version", async () => {
  const find = () => new Problem(410);
  const update = () => "made";
  for (const [headers, expected] of [
    [{ "if-match": "*" }, 412],
    [{ "if-none-match": "*" }, 200],
  ] as const)
    for (const { status } of await askBoth({ find, update }, { etags: true }, "/snips/7", {
      ...{ method: "PUT", headers },
    }))
      expect(status).toBe(expected);
});

test("what 'find' opened for a precondition is closed, whatever comes of it", async () => {
  for (const match of ["*", '"stale"']) {
    const streams: Readable[] = [];
    const find = () => {
      streams.push(Readable.from(["a"]));
      return streams.at(-1);
    };
    const asked = { method: "PUT", headers: { "if-match": match } };
    const answered = await askBoth({ find, update: () => 1 }, { etags: true }, "/snips/7", asked);
    const expected = match === "*" ? 200 : 412;
    expect(answered.map(({ status }) => status)).toEqual([expected, expected]);
    expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, true]);
  }
});
