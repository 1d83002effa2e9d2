import type { IncomingMessage } from "node:http";

/** What people are asked in the console's review, and where their answers go. */
export interface Review {
  next(person: string): Promise<object>;
  /** @throws Error the answer is not one, and why */
  submit(body: unknown): Promise<object>;
}

export const reviewPath = "/v1/review";

const maxBytes = 256 * 1024;
const bodyTimeoutMs = 30_000;

/** @throws Error the body is too large, too slow, or not JSON */
export async function readAnswer(request: IncomingMessage): Promise<unknown> {
  const timer = setTimeout(() => request.destroy(new Error("the body is too slow")), bodyTimeoutMs);
  try {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new Error("the body is too large");
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString());
  } finally {
    clearTimeout(timer);
  }
}
