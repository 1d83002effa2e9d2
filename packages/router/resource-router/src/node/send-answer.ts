import { isStream } from "../answer/stream.ts";
import type { Answer } from "../answer/to-answer.ts";
import type { NodeExchange } from "./node-exchange.ts";
import { sendStream } from "./send-stream.ts";
import { sendWhole } from "./send-whole.ts";

/** Resolves when a stream has been sent, and rejects when it fails; undefined if there is nothing to await. */
export function sendAnswer(exchange: NodeExchange, answer: Answer): Promise<void> | undefined {
  const { status, headers, body } = answer;
  if (isStream(body)) return sendStream(exchange, { ...answer, body });
  sendWhole(exchange, status, headers, body);
  return undefined;
}
