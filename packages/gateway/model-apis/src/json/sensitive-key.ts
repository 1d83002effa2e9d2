import { foldedUnit, unitWidth } from "./json-string.ts";

// In lower case and without separators; matches keys that equal or end in one of these.
const SENSITIVE_ENDINGS: readonly string[] = [
  "authorization",
  "apikey",
  "secretkey",
  "privatekey",
  "accesskey",
  "signingkey",
  "encryptionkey",
  "token",
  "password",
  "passwd",
  "passphrase",
  "secret",
  "credential",
  "credentials",
  "bearer",
  "cookie",
];
/** Indexed by last letter: the scanner checks every key, and few endings can match. */
const SENSITIVE_BY_LAST: readonly (readonly string[])[] = Array.from({ length: 0x80 }, (_, last) =>
  SENSITIVE_ENDINGS.filter((ending) => ending.charCodeAt(ending.length - 1) === last),
);
const KEPT_ENDINGS: readonly string[] = ["logprobs", "tokenids", "tokens"];
const LONGEST_ENDING = 13;

/**
 * Whether a key's string value is a credential: the key is or ends in authorization, api_key, token,
 * password, secret or the like, in any case and with any separators.
 * @param escaped the key may contain a backslash
 */
export function isSensitiveKey(
  bytes: Buffer,
  start: number,
  end: number,
  escaped: boolean,
): boolean {
  if (escaped) return endsEscapedInOneOf(SENSITIVE_ENDINGS, bytes, start, end);
  let last = end;
  while (last > start && isSeparator(bytes[last - 1] ?? 0)) last--;
  const endings = SENSITIVE_BY_LAST[(bytes[last - 1] ?? 0) | 0x20];
  return endings !== undefined && endings.length > 0 && endsInOneOf(endings, bytes, start, last);
}

/** Whether trainers read the value of a key: log probabilities, token ids, tokens. */
export function isKeptKey(bytes: Buffer, start: number, end: number, escaped: boolean): boolean {
  if (escaped) return endsEscapedInOneOf(KEPT_ENDINGS, bytes, start, end);
  return endsInOneOf(KEPT_ENDINGS, bytes, start, end);
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

/** Escapes can only be recognised from the front. */
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
