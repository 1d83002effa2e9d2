import type { ApiName } from "@proj/model-apis";
import { type ApiForm, apiForms } from "@proj/model-apis/conversation";
import { expect, test } from "vitest";

test("for every API it is known where its messages and answers are", () => {
  // The compiler requires a form for each.
  const forms: Readonly<Record<ApiName, ApiForm>> = apiForms;
  const told = Object.entries(forms).map(([api, { messagesOf }]) => [
    api,
    messagesOf('["said"]').length,
  ]);
  expect(Object.fromEntries(told)).toEqual({
    ...{ chat_completions: 1, responses: 1, completions: 1, messages: 1 },
    // Embeddings have no conversation.
    embeddings: 0,
  });
});
