export { type EngineRecord, readEngineRecord } from "./engine-record.ts";
export {
  type EngineTokens,
  isVersion,
  readEngineTokens,
  type VersionSpan,
} from "./engine-tokens.ts";
