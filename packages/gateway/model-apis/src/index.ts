export { type ApiError, InvalidRequest, openaiErrorBody } from "./api-error.ts";
export {
  type ChatMessage,
  type ChatPart,
  type ChatRequest,
  type ChatToolCall,
  type ChatTranslation,
  NotSupportedByEngine,
} from "./chat.ts";
export { readChat } from "./chat-completions/read-chat.ts";
export { continued, type RowTexts, type WholeRow } from "./continued/continued.ts";
export { rowOf, wholeRequest } from "./continued/whole-request.ts";
export { type ReadRow, WholeRows } from "./continued/whole-rows.ts";
export type { Endpoint, Strip } from "./endpoint.ts";
export { endpoints, endpointsByName } from "./endpoints.ts";
export type { AnswerFacts } from "./facts/answer-facts.ts";
export type { ObjectFacts, ReadFacts } from "./facts/object-facts.ts";
export { readPlainAnswer } from "./facts/plain-answer.ts";
export {
  type BilledApart,
  type CacheLifetime,
  type Iteration,
  noTokens,
  type TokenCounts,
  tiersOf,
  tokensOf,
} from "./facts/token-counts.ts";
export { formOf } from "./form-of.ts";
export { plainSchema } from "./generate-content/plain-schema.ts";
export type {
  AnswerEnd,
  AnswerHead,
  AnswerPiece,
  AnswerUsage,
  LiveAnswer,
} from "./live-answer.ts";
export {
  type ApiName,
  apiNames,
  apiOf,
  type EndpointName,
  endpointPaths,
  keyHeaders,
} from "./names.ts";
export type { Overflow } from "./overflow.ts";
export { namedItem } from "./references/named-item.ts";
export { asksNotToStore, type Reference, type ReferenceKind } from "./references/reference.ts";
export { type AnswerBounds, readAnswerBounds } from "./requests/answer-bounds.ts";
export { type Asked, readAsked } from "./requests/asked.ts";
export { parseBesidesHistory } from "./requests/besides-history.ts";
export {
  beginsLike,
  canGoOn,
  type RequestBody,
  readRequestBody,
  sharedEnd,
} from "./requests/request-body.ts";
export { outlineRequest, type RequestOutline } from "./requests/request-outline.ts";
export {
  namesModel,
  readPath,
  requestPath,
  streamQuery,
  type ToldByPath,
} from "./requests/request-path.ts";
export { type BodyChanges, type BodySplicer, createBodySplicer } from "./requests/splice-body.ts";
export { readStreamOptions } from "./requests/stream-options.ts";
export { EventFraming } from "./streams/event-framing.ts";
export type { OpenStream, StreamReader, StreamReaderOptions } from "./streams/stream-reader.ts";
