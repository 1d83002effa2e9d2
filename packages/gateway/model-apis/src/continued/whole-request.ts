import { endpointsByName } from "../endpoints.ts";
import { stripMembers } from "../json/strip-members.ts";
import { apiOf, type EndpointName } from "../names.ts";
import type { ReferenceKind } from "../references/reference.ts";
import { type RequestBody, readRequestBody } from "../requests/request-body.ts";
import { continued, type RowTexts, type WholeRow } from "./continued.ts";

/**
 * The request that says everything itself, for an upstream that keeps nothing: without the member that names the
 * history, and with the history. Other members keep their bytes.
 * @param parent the row that it continues, whole; null: it begins a conversation
 * @returns null: the history cannot be made whole
 */
export function wholeRequest(
  endpoint: EndpointName,
  body: RequestBody,
  reference: ReferenceKind,
  parent: WholeRow | null,
): RequestBody | null {
  const { history } = endpointsByName[apiOf[endpoint]];
  if (history === null) return null;
  const read = readRequestBody(body.bytes, history);
  if (parent === null)
    return readRequestBody(
      stripMembers(body.bytes, [reference]),
      endpointsByName[endpoint].history,
    );
  const whole = continued(parent, rowOf(read, endpoint));
  if (whole.isPartial || whole.request === null || whole.messages === null) return null;
  const rest = readRequestBody(stripMembers(Buffer.from(whole.request), [reference]), history);
  return readRequestBody(
    withHistory(rest, history, whole.messages),
    endpointsByName[endpoint].history,
  );
}

/** A request as a row has it. @param response its answer, as JSON text */
export function rowOf(
  { bytes, messages_start, messages_end }: RequestBody,
  endpoint: EndpointName,
  response: string | null = null,
): RowTexts {
  const messages = messages_end === 0 ? null : bytes.toString("utf8", messages_start, messages_end);
  const request =
    messages === null
      ? bytes.toString()
      : `${bytes.toString("utf8", 0, messages_start)}null${bytes.toString("utf8", messages_end)}`;
  const meta_json = JSON.stringify({ endpoint });
  return { request_id: "", meta_json, request, messages, response };
}

function withHistory(rest: RequestBody, name: string, history: string): Buffer {
  const { bytes, messages_start, messages_end } = rest;
  if (messages_end > 0)
    return Buffer.concat([
      bytes.subarray(0, messages_start),
      Buffer.from(history),
      bytes.subarray(messages_end),
    ]);
  const start = bytes.indexOf("{") + 1;
  // It names a model, so there are other members.
  const member = Buffer.from(`${JSON.stringify(name)}:${history},`);
  return Buffer.concat([bytes.subarray(0, start), member, bytes.subarray(start)]);
}
