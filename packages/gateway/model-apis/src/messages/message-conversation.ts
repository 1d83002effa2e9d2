import type { ConversationForm } from "../conversation/conversation-form.ts";
import { elementsOf } from "../conversation/json-slices.ts";
import { readUtterance } from "../conversation/utterance.ts";

export const messageConversation: ConversationForm = {
  messagesOf: elementsOf,
  // The answer is itself a message.
  answersOf: (response) => (Array.isArray(response.content) ? [readUtterance(response)] : null),
};
