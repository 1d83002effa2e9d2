export { type EngineTokens, readEngineTokens } from "./engine-tokens.ts";
export { RecordedStep, type StepHeaders, type StoredCall } from "./recorded-step.ts";
