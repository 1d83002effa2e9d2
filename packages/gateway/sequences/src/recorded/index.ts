export { EnginePrompts } from "./engine-prompts.ts";
export { RecordedStep, type StepHeaders, type StoredCall } from "./recorded-step.ts";
