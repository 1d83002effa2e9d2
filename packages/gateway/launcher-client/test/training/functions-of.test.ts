import { expect, test } from "vitest";
import { functionsOf } from "../../src/training/formats/functions-of.ts";

const parameters = { type: "object", properties: { at: { type: "string" } } };
const look = { name: "look", description: "Looks." };
const capitals = { type: "OBJECT", properties: { at: { type: "STRING" } } };
const exported = [{ type: "function", function: { ...look, parameters } }];

test.each([
  ["chat completions", exported],
  ["responses", [{ type: "function", ...look, parameters, strict: null }]],
  [
    "a namespace",
    [{ type: "namespace", name: "n", tools: [{ type: "function", ...look, parameters }] }],
  ],
  ["messages", [{ ...look, input_schema: parameters }]],
  ["generateContent", [{ functionDeclarations: [{ ...look, parameters: capitals }] }]],
  ["generateContent", [{ functionDeclarations: [{ ...look, parametersJsonSchema: parameters }] }]],
])("functions of %s are exported in one form", (_api, tools) => {
  expect(functionsOf([...tools, { type: "web_search" }, { googleSearch: {} }])).toEqual(exported);
});
