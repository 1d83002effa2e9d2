export { EnginePrompts } from "./engine-prompts.ts";
export type { MissingIds } from "./missing-ids.ts";
export { RecordedStep, type StepHeaders, type StoredCall } from "./recorded-step.ts";
