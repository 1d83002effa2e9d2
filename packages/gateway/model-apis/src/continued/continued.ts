import { memberOf } from "../conversation/json-slices.ts";
import { formOf } from "../form-of.ts";

/** The columns of a row that say what was said, as JSON texts; null: not captured. */
export interface RowTexts {
  readonly request_id: string;
  readonly meta_json: string;
  /** The request with `null` in place of its history. */
  readonly request: string | null;
  readonly messages: string | null;
  readonly response: string | null;
}

/** A row whose `messages` and `request` have all that the model was shown. */
export interface WholeRow extends RowTexts {
  /** An earlier part is unknown: `messages` begin in the middle of the conversation. */
  readonly isPartial: boolean;
}

/** A row that continues another: its history is the other's, the other's answer, and what it adds itself. */
export function continued(parent: WholeRow, row: RowTexts): WholeRow {
  const own = { ...row, messages: row.messages === null ? null : listOf(row, row.messages) };
  const history = historyAfter(parent);
  if (history === null || (row.messages === null && row.request === null))
    return { ...own, isPartial: true };
  const added = own.messages === null ? [] : [inside(own.messages)];
  return {
    ...own,
    request: row.request === null ? null : withInherited(row.request, parent),
    messages: `[${[...history, ...added].filter((text) => text !== "").join(",")}]`,
    isPartial: parent.isPartial,
  };
}

/** What a request that continues the row would repeat, as texts of messages; null: it is not known. */
function historyAfter(parent: WholeRow): readonly string[] | null {
  const { messages, response } = parent;
  if (messages === null || response === null) return null;
  try {
    const said = formFor(parent).repeatedOf(response);
    return said === null ? null : [inside(listOf(parent, messages)), ...said];
  } catch {
    return null;
  }
}

/** Members that the request takes from the one that it continues. */
function withInherited(request: string, parent: WholeRow): string {
  if (parent.request === null || !request.trimStart().startsWith("{")) return request;
  const members: string[] = [];
  for (const name of formFor(parent).inherited) {
    const value = memberOf(request, name) === null ? memberOf(parent.request, name) : null;
    if (value !== null) members.push(`${JSON.stringify(name)}:${value}`);
  }
  if (members.length === 0) return request;
  const rest = request.slice(request.indexOf("{") + 1);
  return `{${members.join(",")}${rest.trimStart().startsWith("}") ? "" : ","}${rest}`;
}

/** A history as a list: a text of the Responses API is a message of the user. */
function listOf(row: RowTexts, messages: string): string {
  return messages.trimStart().startsWith("[")
    ? messages
    : `[${formFor(row).messagesOf(messages).join(",")}]`;
}

const inside = (list: string): string =>
  list.slice(list.indexOf("[") + 1, list.lastIndexOf("]")).trim();

const formFor = ({ meta_json }: RowTexts) => formOf(endpointOf(meta_json));

function endpointOf(meta_json: string): unknown {
  const name = memberOf(meta_json, "endpoint");
  return name === null ? null : JSON.parse(name);
}
