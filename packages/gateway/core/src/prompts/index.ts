export { Continuity, type ContinuityOptions, type MadePrompt } from "./continuity/continuity.ts";
export {
  type PromptIds,
  promptIds,
  resumedPrompt,
  type Turn,
  wholePrompt,
} from "./continuity/turn.ts";
export { EngineRenderer } from "./rendering/engine-renderer.ts";
export { LocalRenderer } from "./rendering/local-renderer.ts";
export { type ChatPrompt, cannotRender, promptOf, type Renderer } from "./rendering/renderer.ts";
export { readTokenizerFolder } from "./rendering/tokenizer-folder.ts";
export type { CallReader } from "./wire/calls-in-text.ts";
export { EngineAnswer, type EngineEnd, type PlaceToGoOn } from "./wire/engine-answer.ts";
export { type EngineName, engineForm } from "./wire/engine-form.ts";
export { type EngineRequest, engineRequest, wireMessage } from "./wire/engine-request.ts";
