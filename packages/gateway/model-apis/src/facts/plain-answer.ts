import { isUtf8 } from "#is-utf8";
import { asBuffer } from "../json/byte-splice.ts";
import { JsonScanner } from "../json/json-scanner.ts";
import { JsonSyntaxError } from "../json/json-syntax-error.ts";
import { redact } from "../json/redact.ts";
import type { AnswerFacts } from "./answer-facts.ts";
import { noFacts, type ObjectFacts, type ReadFacts } from "./object-facts.ts";

/** How much of a non-JSON answer is kept; quoted, it may grow sixfold and must still be one string. */
const QUOTED_BYTES = 64 * 1024 * 1024;

/**
 * Reads the facts of an answer that was not a stream, without parsing it. Never throws: an answer in another
 * form has no facts.
 *
 * An answer that is not JSON, perhaps because it was cut, becomes a JSON string. Redaction never looks into
 * strings, so credentials are removed from such an answer first.
 * @param truncated more bytes came than were kept
 * @param complete whether all bytes came
 * @param keepsText whether the facts have the answer's text; if not, nobody looks for what to redact in it
 */
export function readPlainAnswer(
  received: Uint8Array,
  readFacts: ReadFacts,
  truncated: boolean,
  complete = true,
  keepsText = true,
): AnswerFacts {
  const bytes = readable(received);
  const facts = noFacts();
  const scanner = new JsonScanner(asBuffer(bytes));
  if (!keepsText) scanner.sensitive = true;
  const isJson = bytes.length > 0 && isWholeJson(scanner, readFacts, facts);
  const { tokens } = facts;
  return {
    complete,
    error: null,
    no_answer: truncated || isJson ? facts.noAnswer : notJson(bytes),
    is_pending: facts.isPending,
    object_id: facts.objectId,
    finish_reason: facts.finishReason,
    response_model: facts.model,
    // By their names: an object that another is spread into takes longer to make.
    prompt_tokens: tokens.prompt_tokens,
    completion_tokens: tokens.completion_tokens,
    cached_tokens: tokens.cached_tokens,
    cache_write_tokens: tokens.cache_write_tokens,
    reasoning_tokens: tokens.reasoning_tokens,
    billed: tokens.billed,
    unreadable: null,
    truncated: truncated || (!isJson && bytes.length > QUOTED_BYTES),
    text: !keepsText || bytes.length === 0 ? null : isJson ? bytes : quoteAsJson(bytes),
    sensitive: keepsText && isJson && scanner.sensitive,
  };
}

/** Fills in the facts for as long as the structure can be followed. Returns whether all of it is JSON. */
function isWholeJson(scanner: JsonScanner, readFacts: ReadFacts, facts: ObjectFacts): boolean {
  if (scanner.kind !== "object") facts.noAnswer = "the answer is not an object";
  if (scanner.kind !== "object" && scanner.kind !== "array") return isJsonScalar(scanner);
  try {
    if (scanner.kind === "array") scanner.skipValue();
    else readFacts(scanner, facts);
    scanner.finish();
  } catch (error) {
    if (error instanceof JsonSyntaxError) return false;
    throw error;
  }
  return true;
}

// Not a Buffer: browsers load this too.
const byteOrderMark = Uint8Array.of(0xef, 0xbb, 0xbf);

/** As clients decode a body: without a byte order mark, and with U+FFFD for what is not UTF-8. */
function readable(received: Uint8Array): Uint8Array {
  const isMarked = asBuffer(received.subarray(0, byteOrderMark.length)).equals(byteOrderMark);
  const bytes = isMarked ? received.subarray(byteOrderMark.length) : received;
  return isUtf8(bytes) ? bytes : Buffer.from(asBuffer(bytes).toString());
}

/** The scanner alone would take a one-word error page for a literal. */
function isJsonScalar({ bytes, kind }: JsonScanner): boolean {
  if (kind === "none" || bytes.length > QUOTED_BYTES) return false;
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}

function quoteAsJson(bytes: Uint8Array): Uint8Array {
  const kept = redact(bytes.subarray(0, QUOTED_BYTES));
  return Buffer.from(JSON.stringify(asBuffer(kept).toString()));
}

const notJson = (bytes: Uint8Array): string =>
  bytes.length === 0 ? "the answer is empty" : "the answer is not JSON";
