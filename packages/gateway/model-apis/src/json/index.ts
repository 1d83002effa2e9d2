export { asBuffer, ByteSplice } from "./byte-splice.ts";
export { parseJson, writeJson } from "./exact-json.ts";
export {
  isJsonObject,
  type JsonObject,
  listOf,
  objectOf,
  objectsOf,
  parsedObject,
} from "./json-object.ts";
export { JsonScanner } from "./json-scanner.ts";
export { decodeString } from "./json-string.ts";
export { JsonSyntaxError } from "./json-syntax-error.ts";
export { redact } from "./redact.ts";
export { redactBeginning } from "./redact-beginning.ts";
export { stripMembers } from "./strip-members.ts";
export { isContinuation } from "./utf8-bytes.ts";
