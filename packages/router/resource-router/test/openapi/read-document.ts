import { registerHooks } from "node:module";
import { compileErrors, validate } from "@readme/openapi-parser";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect } from "vitest";
import type { OpenApiDocument } from "../../src/openapi.ts";

// It needs the compiler's interface, which the workspace's TypeScript does not have yet.
const url = import.meta.resolve("typescript-6");
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "typescript" ? { url, shortCircuit: true } : next(specifier, context),
});
const { default: openapiTS, astToString } = await import("openapi-typescript");

/** Two validators find nothing wrong. @returns the types that a generator of clients makes of the document */
export async function readDocument(document: OpenApiDocument): Promise<string> {
  const text = JSON.stringify(document);
  const { valid, errors } = await new Validator().validate(JSON.parse(text));
  expect([valid, errors]).toEqual([true, undefined]);
  const read = await validate(JSON.parse(text));
  expect(read.valid ? "" : compileErrors(read)).toBe("");
  return astToString(await openapiTS(text, { silent: true }));
}
