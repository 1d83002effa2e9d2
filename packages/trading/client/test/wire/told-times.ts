import { formatWireDate, formatWireTime, parseWireTime } from "@proj/trading-client/wire";

/** Parses and formats a wire time, using only what every runtime has. */
export async function told(time: string): Promise<Record<string, unknown>> {
  const parsed = parseWireTime(time);
  return { parsed, again: formatWireTime(parsed), date: formatWireDate(parsed) };
}
