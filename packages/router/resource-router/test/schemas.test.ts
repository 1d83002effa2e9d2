import { type } from "arktype";
import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { createResourceClient } from "../src/client.ts";
import {
  type BodyOf,
  created,
  createRouter,
  notFound,
  operation,
  type ResultOf,
  resource,
} from "../src/index.ts";
import { type Answered, ask } from "./ask.ts";
import { serve } from "./serve.ts";

const Snip = z.object({ text: z.string().min(1), tags: z.array(z.string()).default([]) });
const Page = z.object({ size: z.coerce.number().int().max(100).default(25) });

const snips = resource("snips", {
  index: operation({ query: Page, result: z.array(Snip) }, ({ input: { query } }) => {
    expectTypeOf(query).toEqualTypeOf<{ size: number }>();
    return Array.from({ length: query.size }, () => ({ text: "a", tags: [] }));
  }),
  create: operation({ body: Snip, result: Snip }, ({ input: { body } }) => {
    expectTypeOf(body).toEqualTypeOf<{ text: string; tags: string[] }>();
    return created("7", body);
  }),
  update: operation({ body: type({ "a/b": { "~c": "number" } }) }, ({ id, input: { body } }) => {
    expectTypeOf(id).toBeString();
    return body["a/b"]["~c"];
  }),
  find: ({ id }) => (id === "7" ? { text: id } : notFound()),
});

async function request(method: string, path: string, value?: unknown): Promise<Answered> {
  const { port } = await serve(createRouter([snips]).middleware);
  const headers = { "content-type": "application/json" };
  const body = value === undefined ? {} : { body: JSON.stringify(value) };
  return ask(port, path, { method, headers, ...body });
}

test("an operation gets the schemas' output for query and body", async () => {
  expect(JSON.parse((await request("GET", "/snips?size=3")).text)).toHaveLength(3);
  expect(JSON.parse((await request("GET", "/snips")).text)).toHaveLength(25);
  const made = await request("POST", "/snips", { text: "a", other: 1 });
  expect([made.status, made.text]).toEqual([201, '{"text":"a","tags":[]}']);
  expect((await request("PUT", "/snips/7", { "a/b": { "~c": 7 } })).text).toBe("7");
});

test("invalid input is answered 422, with its place", async () => {
  const { status, headers, text } = await request("POST", "/snips", { text: "", tags: ["a", 1] });
  expect([status, headers["content-type"]]).toEqual([422, "application/problem+json"]);
  expect(JSON.parse(text)).toMatchObject({
    title: "Unprocessable Entity",
    detail: "The body is not valid.",
    errors: [{ pointer: "#/text" }, { pointer: "#/tags/1" }],
  });
  const escaped = await request("PUT", "/snips/7", { "a/b": { "~c": "7" } });
  expect(JSON.parse(escaped.text).errors).toMatchObject([
    { pointer: "#/a~1b/~0c", detail: expect.stringContaining("number") },
  ]);
  const whole = await request("POST", "/snips", 7);
  expect(JSON.parse(whole.text).errors).toMatchObject([{ pointer: "#" }]);
  const query = await request("GET", "/snips?size=1&size=2");
  expect([query.status, JSON.parse(query.text).errors]).toMatchObject([
    422,
    [{ parameter: "size" }],
  ]);
});

test("a body that is missing or not JSON is refused as without a schema", async () => {
  expect((await request("POST", "/snips")).status).toBe(400);
  const { port } = await serve(createRouter([snips]).middleware);
  expect((await ask(port, "/snips", { method: "POST", body: "a" })).status).toBe(415);
});

test("a client has the types of the resource, or only those it is given", async () => {
  const { url } = await serve(createRouter([snips]).middleware);
  const client = createResourceClient<typeof snips>(`${url}/snips`);
  const { item } = await client.create({ text: "a" });
  expectTypeOf(item).toEqualTypeOf<{ text: string } | undefined>();
  expectTypeOf(client.create).parameter(0).toEqualTypeOf<z.input<typeof Snip>>();
  expectTypeOf(await client.index({ query: { size: "1" } })).toEqualTypeOf<
    z.output<typeof Snip>[]
  >();
  expect((await client.find("7")).text).toBe("7");
  const plain = createResourceClient<{ readonly text: string }, string[]>(`${url}/snips`);
  expectTypeOf(await plain.find("7")).toEqualTypeOf<{ readonly text: string }>();
});

test("clients know the input and output types of a resource", () => {
  type Operations = (typeof snips)["operations"];
  expectTypeOf<BodyOf<Operations["create"]>>().toEqualTypeOf<z.input<typeof Snip>>();
  expectTypeOf<ResultOf<Operations["index"]>>().toEqualTypeOf<z.output<typeof Snip>[]>();
  expectTypeOf<ResultOf<Operations["update"]>>().toEqualTypeOf<number>();
  expectTypeOf<ResultOf<Operations["find"]>>().toEqualTypeOf<{ text: string }>();
});
