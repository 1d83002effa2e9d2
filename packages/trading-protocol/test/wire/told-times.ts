import { formatWireDate, formatWireTime, parseWireTime } from "@proj/trading-protocol";

/** What the wire's times are, in a runtime of which nothing is used but what all have. */
export async function told(time: string): Promise<Record<string, unknown>> {
  const parsed = parseWireTime(time);
  return { parsed, again: formatWireTime(parsed), date: formatWireDate(parsed) };
}
