import type { ChatRequest, ChatTranslation } from "@proj/model-apis";
import type { JsonObject } from "@proj/model-apis/json";
import type { EngineRequest, MadePrompt, PromptIds } from "../prompts/index.ts";
import type { WholeCall } from "./given-calls.ts";

export interface EngineCallOptions {
  readonly request_id: string;
  /** The route key. */
  readonly model: string;
  readonly chat: ChatTranslation;
  /** The member of the request that holds its history. */
  readonly history: string;
  readonly request: JsonObject;
  readonly asked: ChatRequest;
  /** Null: the engine renders the messages itself. */
  readonly prompt: MadePrompt | null;
  /** What the engine was sent. */
  readonly sent: EngineRequest;
  /** @param prompt null: the engine renders the messages itself */
  readonly write: (asked: ChatRequest, prompt: PromptIds | null) => EngineRequest;
  readonly maxEventBytes: number;
  /** The version of the route's weights, now. */
  readonly weights: () => string | null;
  /** Whether the agent gets the answer while it is generated. */
  readonly streams: boolean;
  /** Asks the engine for the tool calls in a whole answer; null: it cannot be asked. */
  readonly parse:
    | ((sampled: readonly number[], signal: AbortSignal) => Promise<readonly WholeCall[]>)
    | null;
}
