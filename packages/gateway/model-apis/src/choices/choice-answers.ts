import type { ConversationForm } from "../conversation/conversation-form.ts";
import type { Utterance } from "../conversation/utterance.ts";
import { objectOf } from "../json/json-object.ts";

/** What each choice of an answer says. */
export const choiceAnswers =
  (read: (choice: Readonly<Record<string, unknown>>) => Utterance): ConversationForm["answersOf"] =>
  ({ choices }) =>
    Array.isArray(choices) ? choices.map((choice: unknown) => read(objectOf(choice))) : null;
