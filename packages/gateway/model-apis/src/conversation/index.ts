export type { ConversationForm } from "./conversation-form.ts";
export { arrayOf, elementsOf, memberOf } from "./json-slices.ts";
export type { AnswerChoice, FinishReason, ModelAnswer, StreamOptions } from "./model-answer.ts";
export { isJsonObject, readUtterance, type Utterance, type UtterancePart } from "./utterance.ts";
