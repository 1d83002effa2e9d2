import { JsonScanner } from "./json-scanner.ts";
import { JsonSyntaxError } from "./json-syntax-error.ts";

const comma = new TextEncoder().encode(",");

/**
 * Removes members from an object and from the objects in its `choices`. All other members keep their bytes.
 * @returns the same Buffer if there is no such member or the text is not one JSON object
 */
export function stripMembers(bytes: Buffer, names: readonly string[]): Buffer {
  if (!names.some((name) => bytes.includes(`"${name}"`))) return bytes;
  try {
    return stripObject(bytes, names, false);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return bytes;
  }
}

/** @param isChoice its own `choices`, if any, are left alone: nesting has no bound */
function stripObject(bytes: Buffer, names: readonly string[], isChoice: boolean): Buffer {
  const scanner = new JsonScanner(bytes);
  const members: Uint8Array[] = [];
  let first = -1;
  let last = 0;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    const start = scanner.keyStart - 1;
    const valueStart = scanner.at;
    const isLeftOut = names.some((name) => scanner.keyEquals(name));
    const hasChoices = !isChoice && scanner.keyEquals("choices") && scanner.kind === "array";
    const value = hasChoices ? stripChoices(scanner, names) : null;
    if (value === null) scanner.skipValue();
    if (first < 0) first = start;
    last = scanner.at;
    if (isLeftOut) continue;
    if (members.length > 0) members.push(comma);
    if (value === null) members.push(bytes.subarray(start, last));
    else members.push(bytes.subarray(start, valueStart), value);
  }
  scanner.finish();
  if (first < 0) return bytes;
  return Buffer.concat([bytes.subarray(0, first), ...members, bytes.subarray(last)]);
}

/** The array that is due, which is skipped, without the members in its objects. */
function stripChoices(scanner: JsonScanner, names: readonly string[]): Buffer {
  const { bytes, at: start } = scanner;
  const parts: Buffer[] = [];
  let copied = start;
  for (let more = scanner.enterArray(); more; more = scanner.nextElement()) {
    const element = scanner.at;
    const isObject = scanner.kind === "object";
    scanner.skipValue();
    if (!isObject) continue;
    parts.push(bytes.subarray(copied, element));
    parts.push(stripObject(bytes.subarray(element, scanner.at), names, true));
    copied = scanner.at;
  }
  parts.push(bytes.subarray(copied, scanner.at));
  return Buffer.concat(parts);
}
