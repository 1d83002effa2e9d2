import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type BodyContext, badRequest } from "../src/index.ts";
import { type Answered, ask } from "./ask.ts";
import { serveSnips } from "./serve.ts";

const json = { "content-type": "application/json" };
const echoJson = { create: ({ body }: BodyContext) => body.json() };

function detailOf({ text }: Answered): string {
  return JSON.parse(text).detail;
}

test("JSON bodies are parsed", async () => {
  const { port } = await serveSnips(echoJson);
  const types = [
    "application/json",
    "Application/JSON; charset=UTF-8",
    "application/merge-patch+json",
  ];
  for (const type of types) {
    const asked = { method: "POST", headers: { "content-type": type }, body: '{"a":["é",1]}' };
    expect(JSON.parse((await ask(port, "/snips", asked)).text)).toEqual({ a: ["é", 1] });
  }
  for (const body of ["null", "0", '""', "[]", '\ufeff{"a":1}'])
    expect((await ask(port, "/snips", { method: "POST", headers: json, body })).status).toBe(200);
});

test("a missing body is distinguished from a malformed one", async () => {
  const { port } = await serveSnips(echoJson);
  const chunked = { ...json, "transfer-encoding": "chunked" };
  for (const headers of [{}, json, chunked]) {
    const answered = await ask(port, "/snips", { method: "POST", headers });
    expect([answered.status, detailOf(answered)]).toEqual([400, "The body is missing. Send JSON."]);
  }
  for (const body of ["{", "{'a':1}", "undefined", '{"a":1}x', " "]) {
    const answered = await ask(port, "/snips", { method: "POST", headers: json, body });
    expect([answered.status, detailOf(answered)]).toEqual([
      400,
      expect.stringContaining("is not JSON"),
    ]);
  }
});

test("bytes that are not UTF-8 and text in another charset are refused", async () => {
  const { port } = await serveSnips(echoJson);
  const latin1 = Buffer.from('"\xe9"', "latin1");
  const answered = await ask(port, "/snips", { method: "POST", headers: json, body: latin1 });
  expect([answered.status, detailOf(answered)]).toEqual([400, "The body is not UTF-8."]);
  const headers = { "content-type": "application/json; charset=latin1" };
  expect((await ask(port, "/snips", { method: "POST", headers, body: latin1 })).status).toBe(415);
});

test("a body of another type or encoding is answered 415", async () => {
  const { port } = await serveSnips(echoJson);
  for (const type of [
    "text/plain",
    "text/json",
    "application/x-www-form-urlencoded",
    "nonsense",
    "",
  ]) {
    const headers = { "content-type": type };
    const { status, headers: answered } = await ask(port, "/snips", {
      method: "POST",
      headers,
      body: "{}",
    });
    expect([status, answered.accept]).toEqual([415, "application/json"]);
  }
  const headers = { ...json, "content-encoding": "gzip" };
  const asked = { method: "POST", headers, body: gzipSync("{}") };
  const answered = await ask(port, "/snips", asked);
  expect([answered.status, answered.headers["accept-encoding"]]).toEqual([415, "identity"]);
});

test("an error of a reader is answered 400 with its message, and a problem is sent unchanged", async () => {
  const onError = (error: unknown): never => expect.unreachable(String(error));
  const readAge = (value: unknown): number => {
    if (value === "secret") throw badRequest("asked for the secret");
    if (typeof value !== "number") throw new TypeError("An age is a number.");
    return value;
  };
  const { port } = await serveSnips(
    {
      update: ({ id, body }) =>
        body.json(id === "sync" ? readAge : async (value) => readAge(value)),
    },
    { onError },
  );
  for (const id of ["sync", "async"]) {
    const put = (body: string): Promise<Answered> =>
      ask(port, `/snips/${id}`, { method: "PUT", headers: json, body });
    expect((await put("7")).text).toBe("7");
    expect(detailOf(await put('"old"'))).toBe("An age is a number.");
    expect(detailOf(await put('"secret"'))).toBe("asked for the secret");
  }
});

test("text and bytes accept any type, and can be read more than once", async () => {
  const { port } = await serveSnips({
    create: async ({ body }) => {
      const [text, bytes, again] = await Promise.all([body.text(), body.bytes(), body.text()]);
      return [text, Buffer.from(bytes).toString("hex"), again];
    },
  });
  const answered = await ask(port, "/snips", { method: "POST", body: "é" });
  expect(JSON.parse(answered.text)).toEqual(["é", "c3a9", "é"]);
  expect(JSON.parse((await ask(port, "/snips", { method: "POST" })).text)).toEqual(["", "", ""]);
});

test("a body may be as large as the limit, but not a byte larger", async () => {
  const { port } = await serveSnips(
    { create: async ({ body }) => (await body.bytes()).length },
    { maxBodyBytes: 100_000 },
  );
  for (const headers of [{}, { "transfer-encoding": "chunked" }]) {
    const post = (length: number): Promise<Answered> =>
      ask(port, "/snips", { method: "POST", headers, body: Buffer.alloc(length) });
    expect((await post(100_000)).text).toBe("100000");
    const tooLarge = await post(100_001);
    expect([tooLarge.status, detailOf(tooLarge)]).toEqual([
      413,
      "The body is larger than 100000 bytes.",
    ]);
  }
});

test("the body of a GET is ignored", async () => {
  const { port } = await serveSnips({ index: () => "index" });
  for (let times = 0; times < 3; times++) {
    const asked = { headers: { ...json, "content-length": "9" }, body: "{not JSON" };
    const answered = await ask(port, "/snips", asked);
    expect(answered.text).toBe('"index"');
  }
});
