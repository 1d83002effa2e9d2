import { expect, test } from "vitest";
import { endpointsByName } from "../src/endpoints.ts";
import { formOf } from "../src/form-of.ts";

test("every endpoint knows where its messages and answers are", () => {
  const told = Object.entries(endpointsByName).map(([name, { conversation }]) => [
    name,
    conversation.messagesOf('["said"]').length,
  ]);
  expect(Object.fromEntries(told)).toEqual({
    ...{ chat_completions: 1, responses: 1, completions: 1, messages: 1 },
    ...{ compact: 1, input_tokens: 1, count_tokens: 1 },
    ...{ generate_content: 1, content_tokens: 1 },
    // Embeddings have no conversation.
    embeddings: 0,
  });
});

test.each([
  { choices: [{ message: { role: "assistant", content: "Hi." } }] },
  { output: [{ type: "message", role: "assistant", content: [{ type: "text", text: "Hi." }] }] },
  { role: "assistant", content: [{ type: "text", text: "Hi." }] },
])("of a step that names no endpoint, the form that fits is read", (answer) => {
  const said = [{ role: "assistant", parts: [{ kind: "text", text: "Hi." }] }];
  expect(formOf(undefined).answersOf(answer)).toEqual(said);
  expect(formOf("an endpoint to come").answersOf({ error: "no" })).toBeNull();
});
