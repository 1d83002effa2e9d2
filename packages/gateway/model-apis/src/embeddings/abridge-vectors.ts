import { countElements } from "../facts/object-facts.ts";
import { asBuffer, ByteSplice } from "../json/byte-splice.ts";
import { JsonScanner } from "../json/json-scanner.ts";

/** Base64 holds floats of four bytes. */
const bytesPerNumber = 4;

/**
 * Replaces each vector by its shape: `{"dimensions":1536}`, or for base64
 * `{"encoding_format":"base64","dimensions":1536}`. Vectors are a hundred times larger than the rest of an
 * answer, and can be computed again. All other bytes stay as they are.
 * @param text JSON
 */
export function abridgeVectors(text: Uint8Array): Uint8Array {
  const bytes = asBuffer(text);
  const scanner = new JsonScanner(bytes);
  if (scanner.kind !== "object") return text;
  const splice = new ByteSplice(bytes);
  abridgeList(scanner, splice);
  return splice.apply();
}

function abridgeList(scanner: JsonScanner, splice: ByteSplice): void {
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.keyEquals("data") && scanner.kind === "array") abridgeEntries(scanner, splice);
    else scanner.skipValue();
  }
}

function abridgeEntries(scanner: JsonScanner, splice: ByteSplice): void {
  for (let more = scanner.enterArray(); more; more = scanner.nextElement()) {
    if (scanner.kind === "object") abridgeEntry(scanner, splice);
    else scanner.skipValue();
  }
}

function abridgeEntry(scanner: JsonScanner, splice: ByteSplice): void {
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    const isVector = scanner.keyEquals("embedding");
    const { at } = scanner;
    const shape = isVector ? readShape(scanner) : null;
    if (!isVector) scanner.skipValue();
    if (shape !== null) splice.replace(at, scanner.at, Buffer.from(JSON.stringify(shape)));
  }
}

/** The shape of the vector that is due, which is skipped; null if it is neither an array nor base64. */
function readShape(scanner: JsonScanner): object | null {
  const { at, bytes, kind } = scanner;
  if (kind === "array") return { dimensions: countElements(scanner) };
  scanner.skipValue();
  if (kind !== "string") return null;
  const base64 = bytes.toString("latin1", at + 1, scanner.at - 1).replaceAll("\\/", "/");
  const dimensions = Math.floor(Buffer.byteLength(base64, "base64") / bytesPerNumber);
  return { encoding_format: "base64", dimensions };
}
