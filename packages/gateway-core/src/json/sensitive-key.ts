import { foldedUnit, unitWidth } from "./json-string.ts";

// In lower case and without separators; keys that are or end in one of these.
const SENSITIVE_ENDINGS: readonly string[] = [
  "authorization",
  "apikey",
  "token",
  "password",
  "secret",
];
const KEPT_ENDINGS: readonly string[] = ["logprobs", "tokenids", "tokens"];
const LONGEST_ENDING = 13;

/**
 * Whether the string value of a key is a credential: the key is or ends in authorization, api_key,
 * token, password or secret, in any case and with any separators.
 * @param escaped the key may hold a backslash
 */
export function isSensitiveKey(
  bytes: Buffer,
  start: number,
  end: number,
  escaped: boolean,
): boolean {
  if (escaped) return endsEscapedInOneOf(SENSITIVE_ENDINGS, bytes, start, end);
  return mayEndSensitive(bytes[end - 1] ?? 0) && endsInOneOf(SENSITIVE_ENDINGS, bytes, start, end);
}

/** Whether trainers read what stands under a key: log probabilities, token ids, tokens. */
export function isKeptKey(bytes: Buffer, start: number, end: number, escaped: boolean): boolean {
  if (escaped) return endsEscapedInOneOf(KEPT_ENDINGS, bytes, start, end);
  return endsInOneOf(KEPT_ENDINGS, bytes, start, end);
}

/** Few keys pass, and the scanner asks for each: the last letters of the endings, and separators. */
function mayEndSensitive(last: number): boolean {
  switch (last | 0x20) {
    case 0x6e: // authorization, token
    case 0x79: // api_key
    case 0x64: // password
    case 0x74: // secret
      return true;
    default:
      return isSeparator(last);
  }
}

function endsInOneOf(
  endings: readonly string[],
  bytes: Buffer,
  start: number,
  end: number,
): boolean {
  for (const ending of endings) {
    let at = end - 1;
    let index = ending.length - 1;
    for (; index >= 0; index--, at--) {
      while (at >= start && isSeparator(bytes[at] ?? 0)) at--;
      if (at < start || ((bytes[at] ?? 0) | 0x20) !== ending.charCodeAt(index)) break;
    }
    if (index < 0) return true;
  }
  return false;
}

/** Escapes can only be told from the front. */
function endsEscapedInOneOf(
  endings: readonly string[],
  bytes: Buffer,
  start: number,
  end: number,
): boolean {
  let tail = "";
  for (let at = start; at < end; at += unitWidth(bytes, at)) {
    const unit = foldedUnit(bytes, at);
    if (isSeparator(unit)) continue;
    tail = (tail + String.fromCharCode(unit)).slice(-LONGEST_ENDING);
  }
  return endings.some((ending) => tail.endsWith(ending));
}

/** Any ASCII character that is neither letter nor digit. */
function isSeparator(unit: number): boolean {
  if (unit >= 0x80) return false;
  const lower = unit | 0x20;
  return !(lower >= 0x61 && lower <= 0x7a) && !(unit >= 0x30 && unit <= 0x39);
}
