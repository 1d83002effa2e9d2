export { type EngineRecord, readEngineRecord, type WrongIds } from "./engine-record.ts";
export {
  type EngineTokens,
  isTokenId,
  isVersion,
  readEngineTokens,
  type VersionSpan,
} from "./engine-tokens.ts";
