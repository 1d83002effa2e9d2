import type { ReadAnswer } from "./error-answer.ts";

/**
 * Splits the bytes of a connection into answers. Throws if anything is left over that is not a whole answer.
 */
export function readRawAnswers(bytes: Buffer): ReadAnswer[] {
  const answers: ReadAnswer[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf("\r\n\r\n", at);
    if (end < 0) throw new Error(`no end of headers in "${bytes.subarray(at)}"`);
    const [start = "", ...lines] = bytes.toString("latin1", at, end).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1]);
    if (Number.isNaN(status)) throw new Error(`no status line: "${start}"`);
    const headers = new Headers();
    for (const line of lines) {
      const colon = line.indexOf(":");
      headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
    }
    at = end + 4;
    if (status < 200) continue;
    const hasBody = status !== 204;
    const body = hasBody ? readBody(bytes.subarray(at), headers) : { text: "", length: 0 };
    answers.push({ status, headers, text: body.text });
    at += body.length;
  }
  return answers;
}

function readBody(bytes: Buffer, headers: Headers): { text: string; length: number } {
  if (headers.get("transfer-encoding") !== "chunked") {
    const length = Number(headers.get("content-length") ?? Number.NaN);
    if (!(length <= bytes.length)) throw new Error(`not ${length} bytes of body: "${bytes}"`);
    return { text: bytes.toString("utf8", 0, length), length };
  }
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const line = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.toString("latin1", at, line), 16);
    if (line < 0 || Number.isNaN(size)) throw new Error(`no chunk at "${bytes.subarray(at)}"`);
    chunks.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
    if (size === 0) return { text: Buffer.concat(chunks).toString(), length: at };
  }
}
