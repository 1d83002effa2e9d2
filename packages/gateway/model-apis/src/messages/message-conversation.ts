import type { ConversationForm } from "../conversation/conversation-form.ts";
import { arrayOf, elementsOf, memberOf } from "../conversation/json-slices.ts";
import { readUtterance } from "../conversation/utterance.ts";

export const messageConversation: ConversationForm = {
  messagesOf: elementsOf,
  systemOf: ({ system }) => system ?? null,
  // The answer is itself a message.
  answersOf: (response) => (Array.isArray(response.content) ? [readUtterance(response)] : null),
  repeatedOf: (response) => {
    const content = arrayOf(memberOf(response, "content"));
    return content === null ? null : [`{"role":"assistant","content":${content}}`];
  },
  // A thread keeps those that it was created with.
  inherited: ["system", "tools"],
  marksFailures: true,
};
