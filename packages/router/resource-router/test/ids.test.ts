import fc from "fast-check";
import { expect, test } from "vitest";
import { createResourceClient } from "../src/client.ts";
import { ask } from "./ask.ts";
import { serveSnips } from "./serve.ts";

const echo = { find: ({ id }: { readonly id: string }) => ({ id }) };

async function idOf(port: number, segment: string): Promise<unknown> {
  const { status, text } = await ask(port, `/snips/${segment}`);
  return status === 200 ? JSON.parse(text).id : status;
}

test("an id is decoded once", async () => {
  const { port } = await serveSnips(echo);
  const ids = {
    "a%2Fb": "a/b",
    "a%2fb": "a/b",
    "%2F": "/",
    "%252F": "%2F",
    "%2525": "%25",
    "a+b": "a+b",
    "a%20b": "a b",
    "a%3Fb": "a?b",
    "%00": "\0",
    "%0d%0a": "\r\n",
    "%C3%A9": "é",
    "%F0%9F%A6%A6": "\u{1f9a6}",
    "...": "...",
    ".a": ".a",
    "~-_.!$&'()*,;=:@": "~-_.!$&'()*,;=:@",
    '"<>^`{|}\\': '"<>^`{|}\\',
    constructor: "constructor",
    __proto__: "__proto__",
  };
  for (const [segment, id] of Object.entries(ids)) expect(await idOf(port, segment)).toBe(id);
  expect(await idOf(port, "__proto__")).toBe("__proto__");
});

test("each escaped byte up to 7F is itself, and malformed on its own beyond", async () => {
  const { port } = await serveSnips(echo);
  for (let byte = 0; byte < 256; byte++) {
    const escaped = `%${byte.toString(16).padStart(2, "0")}`;
    const expected = byte > 0x7f || escaped === "%2e" ? 400 : String.fromCharCode(byte);
    expect(await idOf(port, escaped), escaped).toBe(expected);
  }
});

test.each([
  "%",
  "%4",
  "%zz",
  "%%41",
  "a%",
  "%u0041",
  "%ff",
  "%c0%af",
  "%ed%a0%80",
  "%f4%90%80%80",
  ".",
  "..",
  "%2e",
  "%2E%2e",
  ".%2e",
])("'%s' is not an id, and is answered 400", async (segment) => {
  const { port } = await serveSnips(echo);
  const { status, text } = await ask(port, `/snips/${segment}`);
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({ title: "Bad Request", status: 400 });
});

test("an id may be as long as Node's limit for request lines", async () => {
  const { port } = await serveSnips(echo);
  const long = "x".repeat(15_000);
  expect(await idOf(port, long)).toBe(long);
  expect(await idOf(port, "%2F".repeat(5_000))).toBe("/".repeat(5_000));
});

test("every id that a URL can contain arrives unchanged from the client", async () => {
  const { url } = await serveSnips(echo);
  const client = createResourceClient<{ readonly id: string }>(`${url}/snips`);
  const ids = fc
    .oneof(
      fc.string({ unit: "binary", minLength: 1 }),
      fc.string({ unit: "grapheme", minLength: 1 }),
    )
    .filter((id) => id !== "." && id !== "..");
  const severalIds = fc.array(ids, { minLength: 5, maxLength: 5 });
  const comeBack = async (sent: readonly string[]): Promise<void> => {
    const found = await Promise.all(sent.map((id) => client.find(id)));
    expect(found).toEqual(sent.map((id) => ({ id })));
  };
  await fc.assert(fc.asyncProperty(severalIds, comeBack), { numRuns: 20 });
});
