import { JsonScanner } from "./json-scanner.ts";
import { JsonSyntaxError } from "./json-syntax-error.ts";

const comma = Buffer.from(",");

/**
 * Removes members from an object and from the objects in its `choices`. All other members keep their bytes.
 * @returns the given bytes if there is no such member or they are not one JSON object
 */
export function stripMembers(bytes: Buffer, names: readonly string[]): Buffer {
  if (!names.some((name) => bytes.includes(`"${name}"`))) return bytes;
  try {
    return stripObject(bytes, names);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return bytes;
  }
}

function stripObject(bytes: Buffer, names: readonly string[]): Buffer {
  const scanner = new JsonScanner(bytes);
  const members: Buffer[] = [];
  let first = -1;
  let last = 0;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    const start = scanner.keyStart - 1;
    const valueStart = scanner.at;
    const isLeftOut = names.some((name) => scanner.keyEquals(name));
    const hasObjects = scanner.keyEquals("choices") && scanner.kind === "array";
    const value = hasObjects ? stripElements(scanner, names) : null;
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

/** Walks over an array. */
function stripElements(scanner: JsonScanner, names: readonly string[]): Buffer {
  const { bytes, at: start } = scanner;
  const parts: Buffer[] = [];
  let copied = start;
  for (let more = scanner.enterArray(); more; more = scanner.nextElement()) {
    const element = scanner.at;
    const isObject = scanner.kind === "object";
    scanner.skipValue();
    if (!isObject) continue;
    parts.push(bytes.subarray(copied, element));
    parts.push(stripObject(bytes.subarray(element, scanner.at), names));
    copied = scanner.at;
  }
  parts.push(bytes.subarray(copied, scanner.at));
  return Buffer.concat(parts);
}
