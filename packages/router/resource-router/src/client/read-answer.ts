import { decodeId } from "../path/segment.ts";
import type { Answer } from "./answer.ts";
import { RequestFailedError } from "./request-failed-error.ts";

/**
 * Parses the body as JSON; undefined if there is no body.
 * @throws RequestFailedError the body is not JSON
 */
export function readValue(answer: Answer): unknown {
  if (answer.body === "") return undefined;
  try {
    return JSON.parse(answer.body);
  } catch {
    const type = answer.headers.get("content-type") ?? "of no type";
    throw new RequestFailedError(answer, ` with a body that is not JSON but '${type}'`);
  }
}

/**
 * Reads the item that an answer's `Location` names.
 * @throws RequestFailedError there is none
 */
export function readLocation(answer: Answer): { readonly id: string; readonly location: string } {
  const given = answer.headers.get("location");
  if (given === null)
    throw new RequestFailedError(answer, " without a Location to read the id from");
  const location = URL.parse(given, answer.url);
  const segment = location?.pathname.replace(/\/$/, "").split("/").at(-1) ?? "";
  const id = segment === "" ? null : decodeId(segment);
  if (location === null || id === null)
    throw new RequestFailedError(answer, ` with a Location that does not end in an id: '${given}'`);
  return { id, location: location.href };
}
