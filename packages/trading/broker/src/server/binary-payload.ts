import type { ServerResponse } from "node:http";

/**
 * The first Engine.IO clients of revision 3 read polls only in binary framing, which they show by not asking for
 * base 64. Engine.IO answers with text if it can, so this reframes its answer: for each packet a 0 for text, the
 * digits of its length, 255, and its bytes.
 */
export function answerInBinary(query: URLSearchParams, response: ServerResponse): void {
  const isOldPoll = query.get("EIO") === "3" && query.get("transport") === "polling";
  if (!isOldPoll || query.has("b64") || query.has("j")) return;
  const { writeHead, end } = response;
  Object.assign(response, {
    writeHead: (status: number, headers: Readonly<Record<string, string | number>> = {}) => {
      if (status !== 200) return writeHead.call(response, status, headers);
      const { "Content-Length": _length, ...others } = headers;
      return writeHead.call(response, status, {
        ...others,
        "Content-Type": "application/octet-stream",
      });
    },
    end: (body?: unknown) => {
      const isFramed = response.statusCode === 200 && typeof body === "string";
      return end.call(response, isFramed ? framed(body) : body, "utf8");
    },
  });
}

/** @param payload packets, each after its length in UTF-16 units and a colon */
function framed(payload: string): Buffer {
  const packets: Buffer[] = [];
  for (let at = 0; at < payload.length; ) {
    const colon = payload.indexOf(":", at);
    const start = colon + 1;
    const stop = start + Number(payload.slice(at, colon));
    const bytes = Buffer.from(payload.slice(start, stop));
    const digits = [...String(bytes.length)].map(Number);
    packets.push(Buffer.from([0, ...digits, 255]), bytes);
    at = stop;
  }
  return Buffer.concat(packets);
}
