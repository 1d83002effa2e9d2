import { ServerResponse } from "node:http";

const { writeHead: plainWriteHead } = ServerResponse.prototype;

/**
 * Writes the head of an answer. A flat list is fastest for Node, but it drops headers that were set before and
 * confuses middleware that wraps `writeHead` (such as on-headers before 1.1).
 * @param headers alternating names (in lower case) and values
 * @throws Node's error for a header or status that cannot be sent; then no header is kept
 */
export function writeHead(response: ServerResponse, status: number, headers: string[]): void {
  if (response.writeHead === plainWriteHead && response.getHeaderNames().length === 0) {
    response.writeHead(status, headers);
    return;
  }
  const before = Object.entries(response.getHeaders());
  try {
    for (const [name, values] of valuesByName(headers)) setHeader(response, name, values);
    response.writeHead(status);
  } catch (error) {
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    for (const [name, value] of before) if (value !== undefined) response.setHeader(name, value);
    throw error;
  }
}

function valuesByName(headers: readonly string[]): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  for (let index = 0; index < headers.length; index += 2) {
    const [name = "", value = ""] = headers.slice(index, index + 2);
    const values = byName.get(name);
    if (values === undefined) byName.set(name, [value]);
    else values.push(value);
  }
  return byName;
}

/** Replaces what was set before; cookies and `Vary` are added to it. */
function setHeader(response: ServerResponse, name: string, values: readonly string[]): void {
  const all =
    name === "set-cookie" || name === "vary" ? [...before(response, name), ...values] : values;
  const [first = ""] = all;
  if (name === "vary") response.setHeader(name, mergedVary(all));
  else response.setHeader(name, all.length === 1 ? first : all);
}

function before(response: ServerResponse, name: string): readonly string[] {
  const value = response.getHeader(name) ?? [];
  return Array.isArray(value) ? value : [String(value)];
}

/** Each name once, in any case; `*` covers all (RFC 9110, section 12.5.5). */
function mergedVary(values: readonly string[]): string {
  const names = values.flatMap((value) => value.split(",")).map((name) => name.trim());
  if (names.includes("*")) return "*";
  const byKey = new Map<string, string>();
  for (const name of names) {
    const key = name.toLowerCase();
    if (name !== "" && !byKey.has(key)) byKey.set(key, name);
  }
  return [...byKey.values()].join(", ");
}
