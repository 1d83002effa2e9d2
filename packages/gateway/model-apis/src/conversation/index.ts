export { isJsonObject, listOf, objectOf, parsedObject } from "../json/json-object.ts";
export type {
  AnswerFormat,
  Conversation,
  ReadRequest,
  Sampling,
  Tool,
  ToolChoice,
  WrittenRequest,
} from "./conversation.ts";
export type { ConversationForm } from "./conversation-form.ts";
export { arrayOf, elementsOf, memberOf } from "./json-slices.ts";
export type { AnswerChoice, FinishReason, ModelAnswer, StreamOptions } from "./model-answer.ts";
export { readUtterance, type Utterance, type UtterancePart } from "./utterance.ts";
