import { Validator } from "@seriousme/openapi-schema-validator";
import { type } from "arktype";
import { expect, test } from "vitest";
import { z } from "zod";
import { group, operation, resource, type StandardSchema } from "../src/index.ts";
import { openApiDocument } from "../src/openapi.ts";

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
  const { valid, errors } = await new Validator().validate(structuredClone({ ...document }));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
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
      responses: { 201: { headers: { Location: {} } } },
    },
  });
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
