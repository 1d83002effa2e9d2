import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { created, entityTag, noContent, reply, requireVersion } from "../src/index.ts";
import { type Answered, ask } from "./ask.ts";
import { serveSnips } from "./serve.ts";

const modified = "Wed, 21 Oct 2026 07:28:00 GMT";
const headers = {
  etag: '"7"',
  "last-modified": modified,
  "cache-control": "max-age=1",
  "content-language": "en",
  "content-location": "/snips/7",
};

test.each<readonly [Record<string, string>, number]>([
  [{}, 200],
  [{ "if-none-match": '"7"' }, 304],
  [{ "if-none-match": '"6", W/"7"' }, 304],
  [{ "if-none-match": "*" }, 304],
  [{ "if-none-match": '"8"', "if-modified-since": modified }, 200],
  [{ "if-none-match": "7" }, 200],
  [{ "if-modified-since": modified }, 304],
  [{ "if-modified-since": "Wed, 21 Oct 2026 07:27:59 GMT" }, 200],
  [{ "if-modified-since": "nonsense" }, 200],
])("an answer with a tag and a date, requested with %o, is %d", async (asked, status) => {
  const { port } = await serveSnips({ find: () => reply(200, "seven", headers) });
  for (const method of ["GET", "HEAD"]) {
    const answered = await ask(port, "/snips/7", { method, headers: asked });
    expect(answered.status).toBe(status);
    expect(answered.headers).toMatchObject({ etag: '"7"', "content-location": "/snips/7" });
    expect(answered.headers["content-language"]).toBe(status === 200 ? "en" : undefined);
    expect(answered.headers["content-type"]).toBe(status === 200 ? "application/json" : undefined);
  }
});

test("a stream whose tag the caller has is closed unread", async () => {
  const stream = Readable.from(["a"]);
  const { port } = await serveSnips({ find: () => reply(200, stream, { etag: '"7"' }) });
  const { status } = await ask(port, "/snips/7", { headers: { "if-none-match": '"7"' } });
  expect([status, stream.destroyed, stream.readableDidRead]).toEqual([304, true, false]);
});

test("only GET is answered 304, and only with status 200", async () => {
  const asked = { headers: { "if-none-match": '"7"' } };
  const { port } = await serveSnips({
    find: () => reply(203, "x", { etag: '"7"' }),
    create: () => reply(200, "x", { etag: '"7"' }),
  });
  expect((await ask(port, "/snips/7", asked)).status).toBe(203);
  expect((await ask(port, "/snips", { method: "POST", ...asked })).status).toBe(200);
});

test.each<readonly [version: number | string | null, Record<string, string>, number]>([
  [7, {}, 204],
  [null, {}, 204],
  [7, { "if-match": '"7"' }, 204],
  [7, { "if-match": '"6", "7"' }, 204],
  [7, { "if-match": "*" }, 204],
  [7, { "if-match": '"6"' }, 412],
  [7, { "if-match": 'W/"7"' }, 412],
  ['W/"7"', { "if-match": 'W/"7"' }, 412],
  [null, { "if-match": "*" }, 412],
  [7, { "if-none-match": "*" }, 412],
  [7, { "if-none-match": 'W/"7"' }, 412],
  [7, { "if-none-match": '"6"' }, 204],
  [null, { "if-none-match": "*" }, 204],
])("requireVersion(%o) with %o is %d", async (version, asked, status) => {
  const { port } = await serveSnips({
    update: (context) => {
      requireVersion(context, version);
      return noContent();
    },
  });
  const answered = await ask(port, "/snips/7", { method: "PUT", headers: asked });
  expect(answered.status).toBe(status);
  if (status === 412 && version !== null) expect(answered.headers.etag).toBe(entityTag(version));
});

test.each([" ", 'a"b', "é", "", '"7"x', 'x"7"'])("'%s' cannot be in an entity tag", (version) => {
  expect(() => entityTag(version)).toThrow(`cannot contain ${JSON.stringify(version)}`);
});

test("a version that is a tag already is kept", () => {
  expect(['"seven"', 'W/"7"', '""', 7].map(entityTag)).toEqual(['"seven"', 'W/"7"', '""', '"7"']);
});

test("with etags, answers that are not streams get a tag, and a stale caller changes nothing", async () => {
  const snips = new Map<string, unknown>([["7", { text: "é" }]]);
  const { port } = await serveSnips(
    {
      index: () => Readable.from(["a"]),
      find: async ({ id }) => snips.get(id),
      create: () => created("8", "x"),
      update: async ({ id, body }) => void snips.set(id, await body.json()),
      delete: ({ id }) => void snips.delete(id),
    },
    { etags: true },
  );
  const request = (
    method: string,
    path: string,
    asked: Record<string, string>,
  ): Promise<Answered> =>
    ask(port, path, {
      method,
      headers: { "content-type": "application/json", ...asked },
      ...(method === "PUT" && { body: '{"text":"new"}' }),
    });
  const first = await request("GET", "/snips/7", {});
  const { etag = "" } = first.headers;
  expect(etag).toMatch(/^"[\w-]{27}"$/);
  expect((await request("HEAD", "/snips/7", {})).headers.etag).toBe(etag);
  expect((await request("GET", "/snips/7", { "if-none-match": etag })).status).toBe(304);
  expect((await request("PUT", "/snips/7", { "if-match": etag })).status).toBe(204);
  const stale = await request("PUT", "/snips/7", { "if-match": etag });
  expect([stale.status, stale.headers.etag === etag]).toEqual([412, false]);
  expect((await request("DELETE", "/snips/7", { "if-match": etag })).status).toBe(412);
  expect((await request("PUT", "/snips/7", { "if-none-match": "*" })).status).toBe(412);
  expect((await request("PUT", "/snips/8", { "if-match": "*" })).status).toBe(412);
  expect((await request("PUT", "/snips/8", { "if-none-match": "*" })).status).toBe(204);
  expect((await request("DELETE", "/snips/7", {})).status).toBe(204);
  expect([...snips]).toEqual([["8", { text: "new" }]]);
  expect((await request("GET", "/snips", {})).headers.etag).toBeUndefined();
  expect((await request("POST", "/snips", {})).headers.etag).toBeUndefined();
});
