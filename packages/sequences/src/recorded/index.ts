export { type EngineTokens, readEngineTokens } from "./engine-tokens.ts";
export { RecordedStep, type StoredCall } from "./recorded-step.ts";
