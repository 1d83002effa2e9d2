import type { ApiName } from "@proj/gateway-protocol";
import { type ApiForm, apiForms } from "@proj/sequences/conversation";
import { expect, test } from "vitest";

test("of every API it is known where it has what was said", () => {
  // The compiler asks for a form of each.
  const forms: Readonly<Record<ApiName, ApiForm>> = apiForms;
  const told = Object.entries(forms).map(([api, { messagesOf }]) => [
    api,
    messagesOf('["said"]').length,
  ]);
  expect(Object.fromEntries(told)).toEqual({
    ...{ chat_completions: 1, responses: 1, completions: 1, messages: 1 },
    // Nobody says anything.
    embeddings: 0,
  });
});
