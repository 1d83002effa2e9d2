import { type ConversationForm, userMessage } from "../conversation/conversation-form.ts";
import { elementsOf } from "../conversation/json-slices.ts";
import { readUtterance } from "../conversation/utterance.ts";

export const responseConversation: ConversationForm = {
  // A bare string is a user message.
  messagesOf: (input) => (input.startsWith('"') ? [userMessage(input)] : elementsOf(input)),
  answersOf: ({ output }) => (Array.isArray(output) ? output.map(readUtterance) : null),
};
