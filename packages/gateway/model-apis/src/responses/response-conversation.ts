import { type ConversationForm, userMessage } from "../conversation/conversation-form.ts";
import { arrayOf, elementsOf, memberOf } from "../conversation/json-slices.ts";
import { readUtterance } from "../conversation/utterance.ts";

export const responseConversation: ConversationForm = {
  // A bare string is a user message.
  messagesOf: (input) => (input.startsWith('"') ? [userMessage(input)] : elementsOf(input)),
  systemOf: ({ instructions }) => instructions ?? null,
  answersOf: ({ output }) => (Array.isArray(output) ? output.map(readUtterance) : null),
  repeatedOf: (response) => {
    const output = arrayOf(memberOf(response, "output"));
    return output === null ? null : elementsOf(output);
  },
  // Each request brings its own instructions and tools.
  inherited: [],
  marksFailures: false,
};
