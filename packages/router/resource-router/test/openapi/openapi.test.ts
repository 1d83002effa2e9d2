import { type } from "arktype";
import { expect, test } from "vitest";
import { z } from "zod";
import { group, operation, resource, type StandardSchema } from "../../src/index.ts";
import { openApiDocument } from "../../src/openapi.ts";
import { readDocument } from "./read-document.ts";

const Snip = z.object({ text: z.string() });
const snips = resource("snips", {
  index: operation(
    {
      query: z.object({ size: z.coerce.number().default(25), tag: z.string() }),
      result: z.array(Snip),
      summary: "All snips",
    },
    () => [],
  ),
  create: operation({ body: Snip, result: Snip }, ({ input }) => input.body),
  find: ({ id }) => id,
  delete: () => {},
  options: () => {},
});
const comments = resource("posts/{post}/comments", {
  find: () => 1,
  patch: operation({ body: type({ text: "string" }) }, () => 1),
});
const options = { title: "Snips", version: "1.0.0", servers: ["https://api.example"] };

test("the document is valid OpenAPI 3.1, and describes the resources", async () => {
  const document = openApiDocument([snips, group("api/v1", [comments])], options);
  const types = await readDocument(document);
  expect(types).toContain('"api.v1.posts.post.comments.patch"');
  expect(Object.entries(document.paths).map(([path, item]) => [path, Object.keys(item)])).toEqual([
    ["/snips", ["get", "post"]],
    ["/snips/{id}", ["parameters", "get", "delete"]],
    ["/api/v1/posts/{post}/comments/{id}", ["parameters", "get", "patch"]],
  ]);
  expect(document.paths["/snips"]).toMatchObject({
    get: {
      operationId: "snips.index",
      summary: "All snips",
      parameters: [
        { name: "size", in: "query", required: false, schema: { type: "number", default: 25 } },
        { name: "tag", in: "query", required: true, schema: { type: "string" } },
      ],
      responses: {
        200: { content: { "application/json": { schema: { type: "array" } } } },
        422: {},
      },
    },
    post: {
      requestBody: {
        content: { "application/json": { schema: { properties: { text: { type: "string" } } } } },
      },
      responses: { 201: { headers: { Location: { schema: { type: "string" } } } } },
    },
  });
  const found = ["/snips/{id}", "get", "responses", "200"];
  expect(document.paths).toHaveProperty(found, { description: "The item." });
  expect(document.paths["/api/v1/posts/{post}/comments/{id}"]).toMatchObject({
    parameters: [{ name: "post" }, { name: "id" }],
    patch: {
      operationId: "api.v1.posts.post.comments.patch",
      requestBody: {
        content: { "application/json": { schema: { properties: { text: { type: "string" } } } } },
      },
    },
  });
});

test("a schema without JSON Schema is an error, unless it is converted", () => {
  const schema: StandardSchema = {
    "~standard": { version: 1, vendor: "acme", validate: (value) => ({ value }) },
  };
  const plain = resource("plain", { create: operation({ body: schema }, () => {}) });
  expect(() => openApiDocument([plain], options)).toThrow("'acme'");
  const toJsonSchema = () => ({ type: "string" });
  const document = openApiDocument([plain], { ...options, toJsonSchema });
  expect(document.paths["/plain"]).toMatchObject({
    post: { requestBody: { content: { "application/json": { schema: { type: "string" } } } } },
  });
});

test("security schemes, tags and operation ids are those that are given", async () => {
  const schemes = { key: { type: "apiKey", in: "header", name: "x-key" } };
  const described = resource("snips", {
    index: operation(
      {
        ...{ operationId: "listSnips", tags: ["reading"], security: [] },
        ...{ summary: "All", description: "All *snips*.", deprecated: true },
      },
      () => [],
    ),
    find: ({ id }) => id,
  });
  const given = {
    ...options,
    securitySchemes: schemes,
    security: [{ key: [] }],
    tags: [{ name: "reading", description: "Changes nothing." }],
  };
  const document = openApiDocument([described], given);
  await readDocument(document);
  expect(document).toMatchObject({
    tags: [{ name: "reading", description: "Changes nothing." }],
    security: [{ key: [] }],
    components: { securitySchemes: schemes },
  });
  expect(document.paths["/snips"]).toMatchObject({
    get: {
      ...{ operationId: "listSnips", tags: ["reading"], security: [] },
      ...{ summary: "All", description: "All *snips*.", deprecated: true },
    },
  });
  expect(document.paths["/snips/{id}"]).toMatchObject({
    get: { operationId: "snips.find", tags: ["snips"] },
  });
  expect(() => openApiDocument([described], { ...given, securitySchemes: {} })).toThrow("'key'");
});

test("each operation id is there once", async () => {
  const index = () => [];
  const twins = [
    group("a", [group("b", [resource("c", { index })])]),
    resource("a/{b}/c", { index }),
  ];
  const document = openApiDocument(twins, options);
  await readDocument(document);
  const ids = Object.values(document.paths).map(({ get }) => get);
  expect(ids).toMatchObject([{ operationId: "a.b.c.index" }, { operationId: "a.b.c.index2" }]);
  const named = operation({ operationId: "same" }, index);
  expect(() => openApiDocument([resource("c", { index: named, find: named })], options)).toThrow(
    "'same'",
  );
});
