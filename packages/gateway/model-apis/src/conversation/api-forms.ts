import { elementsOf } from "./json-slices.ts";
import { isJsonObject, readUtterance, type Utterance } from "./utterance.ts";

/** Where an API's bodies keep the conversation. */
export interface ApiForm {
  /** The request's growing member, valid JSON, as the texts of single messages. */
  messagesOf(history: string): readonly string[];
  /** The model's messages; null if the answer has another form. */
  answersOf(response: Readonly<Record<string, unknown>>): readonly Utterance[] | null;
}

const choicesWith =
  (read: (choice: Readonly<Record<string, unknown>>) => Utterance): ApiForm["answersOf"] =>
  ({ choices }) =>
    Array.isArray(choices)
      ? choices.map((choice: unknown) => read(isJsonObject(choice) ? choice : {}))
      : null;

/** In Anthropic's API the answer is itself a message. */
function messageAnswer(response: Readonly<Record<string, unknown>>): readonly Utterance[] | null {
  return Array.isArray(response.content) ? [readUtterance(response)] : null;
}

const userMessage = (content: string): string => `{"role":"user","content":${content}}`;

/** The APIs whose steps are recorded, by `meta_json.endpoint`. */
export interface ApiForms {
  readonly chat_completions: ApiForm;
  readonly responses: ApiForm;
  readonly completions: ApiForm;
  readonly embeddings: ApiForm;
  readonly messages: ApiForm;
}

export const apiForms: ApiForms = {
  chat_completions: {
    messagesOf: elementsOf,
    answersOf: choicesWith(({ message }) => readUtterance(message)),
  },
  responses: {
    // A bare string is a user message.
    messagesOf: (input) => (input.startsWith('"') ? [userMessage(input)] : elementsOf(input)),
    answersOf: ({ output }) => (Array.isArray(output) ? output.map(readUtterance) : null),
  },
  completions: {
    messagesOf: (prompt) => promptsOf(prompt).map(userMessage),
    answersOf: choicesWith(({ text }) => readUtterance({ role: "assistant", content: text })),
  },
  embeddings: { messagesOf: () => [], answersOf: () => null },
  messages: { messagesOf: elementsOf, answersOf: messageAnswer },
};

/** For steps that do not name their endpoint because another writer stored them: whichever form fits. */
const fitting: ApiForm = {
  messagesOf: apiForms.responses.messagesOf,
  answersOf: (response) =>
    apiForms.chat_completions.answersOf(response) ??
    apiForms.responses.answersOf(response) ??
    messageAnswer(response),
};

/** The form of a step, by its `meta_json.endpoint`. */
export function formOf(endpoint: unknown): ApiForm {
  // A compaction has the form of a response, and calls that only count tokens leave no rows.
  const api = endpoint === "compact" ? "responses" : endpoint;
  return Object.entries(apiForms).find(([name]) => name === api)?.[1] ?? fitting;
}

/** A text, token ids, or a list of either. */
function promptsOf(prompt: string): readonly string[] {
  if (prompt.startsWith('"')) return [prompt];
  const prompts = elementsOf(prompt);
  const isIds = prompts.every((element) => !/^["[]/.test(element));
  return (isIds ? [prompt] : prompts).map((each) =>
    each.startsWith('"') ? each : `[{"type":"token_ids","token_ids":${each}}]`,
  );
}
