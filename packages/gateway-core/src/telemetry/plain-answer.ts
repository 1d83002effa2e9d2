import { isUtf8 } from "node:buffer";
import { asBuffer } from "../json/byte-splice.ts";
import { JsonScanner } from "../json/json-scanner.ts";
import { decodeString } from "../json/json-string.ts";
import { JsonSyntaxError } from "../json/json-syntax-error.ts";
import type { Endpoint } from "../pipeline/call.ts";
import type { AnswerFacts } from "./answer-facts.ts";
import { redact } from "./redact.ts";

/** As much of an answer that is no JSON is kept; six times as many characters still make one string. */
const QUOTED_BYTES = 64 * 1024 * 1024;

interface FactsOfObject {
  promptTokens: number | null;
  completionTokens: number | null;
  finishReason: string | null;
}

/**
 * Reads the facts of an answer that was no stream, without parsing it. Never throws: an answer of
 * another form has no facts. `complete` is true: whether all bytes came is the caller's to know.
 *
 * An answer that is no JSON, also because it was cut, becomes a JSON string. Redaction never looks
 * into strings, so credentials are taken out of such an answer before.
 * @param truncated more bytes came than were kept
 */
export function readPlainAnswer(
  bytes: Uint8Array,
  endpoint: Endpoint,
  truncated: boolean,
): AnswerFacts {
  const facts: FactsOfObject = { promptTokens: null, completionTokens: null, finishReason: null };
  const scanner = new JsonScanner(asBuffer(bytes));
  const isJson = bytes.length > 0 && readAnswer(scanner, endpoint, facts);
  return {
    complete: true,
    error: null,
    finish_reason: facts.finishReason,
    prompt_tokens: facts.promptTokens,
    completion_tokens: facts.completionTokens,
    truncated: truncated || (!isJson && bytes.length > QUOTED_BYTES),
    text: bytes.length === 0 ? null : isJson ? bytes : quoteAsJson(bytes),
    sensitive: isJson && scanner.sensitive,
  };
}

/** Fills in the facts as far as the answer can be followed. Returns whether it is JSON as a whole. */
function readAnswer(scanner: JsonScanner, endpoint: Endpoint, facts: FactsOfObject): boolean {
  if (scanner.kind !== "object" && scanner.kind !== "array") return isJsonScalar(scanner);
  try {
    if (scanner.kind === "array") scanner.skipValue();
    else if (endpoint === "chat_completions") readChat(scanner, facts);
    else readResponse(scanner, facts);
    scanner.finish();
  } catch (error) {
    if (error instanceof JsonSyntaxError) return false;
    throw error;
  }
  return isUtf8(scanner.bytes);
}

/** The scanner alone would take the one word of an error page for a literal. */
function isJsonScalar({ bytes, kind }: JsonScanner): boolean {
  if (kind === "none" || bytes.length > QUOTED_BYTES || !isUtf8(bytes)) return false;
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}

function readChat(scanner: JsonScanner, facts: FactsOfObject): void {
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.keyEquals("usage")) readUsage(scanner, facts, "prompt_tokens", "completion_tokens");
    else if (scanner.keyEquals("choices") && scanner.kind === "array") readChoices(scanner, facts);
    else scanner.skipValue();
  }
}

function readChoices(scanner: JsonScanner, facts: FactsOfObject): void {
  let isFirst = true;
  for (let more = scanner.enterArray(); more; more = scanner.nextElement()) {
    if (!isFirst || scanner.kind !== "object") scanner.skipValue();
    else facts.finishReason = readMember(scanner, "finish_reason");
    isFirst = false;
  }
}

function readResponse(scanner: JsonScanner, facts: FactsOfObject): void {
  let status: string | null = null;
  let reason: string | null = null;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.keyEquals("usage")) readUsage(scanner, facts, "input_tokens", "output_tokens");
    else if (scanner.keyEquals("status")) status = readString(scanner);
    else if (scanner.keyEquals("incomplete_details") && scanner.kind === "object") {
      reason = readMember(scanner, "reason");
    } else scanner.skipValue();
  }
  facts.finishReason = status === "incomplete" ? (reason ?? status) : status;
}

function readUsage(
  scanner: JsonScanner,
  facts: FactsOfObject,
  promptName: string,
  completionName: string,
): void {
  if (scanner.kind !== "object") {
    scanner.skipValue();
    return;
  }
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.keyEquals(promptName)) facts.promptTokens = readCount(scanner);
    else if (scanner.keyEquals(completionName)) facts.completionTokens = readCount(scanner);
    else scanner.skipValue();
  }
}

/** The string value of one member of the object that is due; null where it has none. */
function readMember(scanner: JsonScanner, name: string): string | null {
  let value: string | null = null;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.keyEquals(name)) value = readString(scanner);
    else scanner.skipValue();
  }
  return value;
}

function readString(scanner: JsonScanner): string | null {
  const { at, bytes, kind } = scanner;
  scanner.skipValue();
  return kind === "string" ? decodeString(bytes, at + 1, scanner.at - 1) : null;
}

function readCount(scanner: JsonScanner): number | null {
  const { at, bytes, kind } = scanner;
  scanner.skipValue();
  if (kind !== "number") return null;
  const count = Number(bytes.toString("latin1", at, scanner.at));
  return Number.isSafeInteger(count) && count >= 0 ? count : null;
}

function quoteAsJson(bytes: Uint8Array): Uint8Array {
  const kept = redact(bytes.subarray(0, QUOTED_BYTES));
  return Buffer.from(JSON.stringify(asBuffer(kept).toString()));
}
