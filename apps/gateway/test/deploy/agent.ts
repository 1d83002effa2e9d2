import type OpenAI from "openai";
import { model } from "./site.ts";

/** A step whose answer a caller received in full. */
export interface GotStep {
  readonly session_id: string;
  readonly step_id: number;
  /** The upstream's id, the same for the same question. */
  readonly answer_id: string;
}

export interface AskOptions {
  readonly stream?: boolean;
  readonly signal?: AbortSignal;
}

/** Asks one question. @throws what the SDK throws when its retries have failed, or a stream breaks off */
export async function ask(
  openai: OpenAI,
  question: string,
  { stream = false, signal }: AskOptions = {},
): Promise<GotStep> {
  const messages = [{ role: "user", content: question }] as const;
  const request = { model, messages: [...messages] };
  if (!stream) {
    const { data, response } = await openai.chat.completions
      .create(request, { signal })
      .withResponse();
    return gotStep(response, data.id);
  }
  const streaming = openai.chat.completions.create({ ...request, stream: true }, { signal });
  const { data, response } = await streaming.withResponse();
  let answer_id = "";
  let isWhole = false;
  for await (const { id, choices } of data) {
    answer_id = id;
    isWhole ||= choices.some(({ finish_reason }) => finish_reason !== null);
  }
  if (!isWhole) throw new Error("The stream ended before the answer did.");
  return gotStep(response, answer_id);
}

function gotStep(response: Response, answer_id: string): GotStep {
  return {
    session_id: response.headers.get("x-gateway-session-id") ?? "",
    step_id: Number(response.headers.get("x-gateway-step-id")),
    answer_id,
  };
}
