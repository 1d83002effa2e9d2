import type { ConversationForm } from "./conversation/conversation-form.ts";
import { endpoints, endpointsByName } from "./endpoints.ts";

/** For steps that do not name their endpoint because another writer stored them: whichever form fits. */
const fitting: ConversationForm = {
  messagesOf: endpointsByName.responses.conversation.messagesOf,
  systemOf: (request) => {
    for (const { conversation } of endpoints) {
      const system = conversation.systemOf(request);
      if (system !== null) return system;
    }
    return null;
  },
  answersOf: (response) => {
    for (const { conversation } of endpoints) {
      const answers = conversation.answersOf(response);
      if (answers !== null) return answers;
    }
    return null;
  },
  repeatedOf: (response) => {
    for (const { conversation } of endpoints) {
      const repeated = conversation.repeatedOf(response);
      if (repeated !== null) return repeated;
    }
    return null;
  },
  inherited: [],
  marksFailures: false,
};

/** Where a step's bodies keep what was said, by its `meta_json.endpoint`. */
export function formOf(endpoint: unknown): ConversationForm {
  return endpoints.find(({ name }) => name === endpoint)?.conversation ?? fitting;
}
