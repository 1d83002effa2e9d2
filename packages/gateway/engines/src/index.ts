export {
  Continuity,
  type ContinuityOptions,
  type MadePrompt,
  type PromptOrigin,
} from "./continuity/continuity.ts";
export type { RenderReason } from "./continuity/explain-break.ts";
export { type PromptIds, promptIds, type Turn, wholePrompt } from "./continuity/turn.ts";
export { type AskEngine, EngineRenderer } from "./rendering/engine-renderer.ts";
export { LocalRenderer } from "./rendering/local-renderer.ts";
export type { AddedMessages, ChatPrompt, Renderer } from "./rendering/renderer.ts";
export { readTokenizerFolder, type TokenizerFolder } from "./rendering/tokenizer-folder.ts";
export { EngineAnswer, type EngineEnd } from "./wire/engine-answer.ts";
export { type EngineName, engineRequest, engineTools, wireMessage } from "./wire/engine-request.ts";
