import { postChat, say } from "./served-gateway.ts";

const show = (url: string): object => ({
  role: "user",
  content: [{ type: "image_url", image_url: { url } }],
});

/** An answer that a caller received in full: for a stream, including its `[DONE]`. */
export interface WholeAnswer {
  readonly session_id: string;
  readonly step_id: number;
  /** The messages that were sent, as JSON text. */
  readonly messages: string;
}

export interface Load {
  /** Answers received in full so far. */
  readonly whole: readonly WholeAnswer[];
  /** The codes of errors received in their place. */
  readonly refused: readonly string[];
  /** Resolves once this number of answers has been received in full. */
  reached(count: number): Promise<void>;
  /** Resolves once every caller has ended, which it does at its first error of any kind. */
  ended(): Promise<void>;
}

/**
 * Callers that send one request after the other, plain and streamed alternately, over eight
 * sessions. Each caller's history grows, and starts over now and then.
 * @param image that some callers send behind a text that changes with every request; null: none does
 */
export function startLoad(url: string, callers: number, image: string | null = null): Load {
  const whole: WholeAnswer[] = [];
  const refused: string[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  const call = async (
    session_id: string,
    stream: boolean,
    messages: readonly object[],
  ): Promise<boolean> => {
    const answer = await postChat(url, session_id, stream, messages);
    const text = await answer.text();
    if (answer.status !== 200) {
      refused.push(JSON.parse(text).error.code);
      return false;
    }
    const isWhole = stream
      ? text.endsWith("data: [DONE]\n\n")
      : JSON.parse(text).choices.length > 0;
    if (!isWhole) return false;
    const step_id = Number(answer.headers.get("x-gateway-step-id"));
    whole.push({ session_id, step_id, messages: JSON.stringify(messages) });
    for (const { count, resolve } of waiting) if (whole.length >= count) resolve();
    return true;
  };
  const caller = async (number: number): Promise<void> => {
    const session_id = `session-${number % 8}`;
    const isVision = image !== null && number % 9 === 0;
    let messages: object[] = [];
    let stream = number % 2 === 0;
    let turn = 0;
    do {
      const content = `${messages.length} of ${number} `.repeat(30);
      if (isVision) messages = [say(`${content}${++turn}`), show(image)];
      else messages = messages.length === 12 ? messages.slice(0, 3) : [...messages, say(content)];
      stream = !stream;
    } while (await call(session_id, stream, messages));
  };
  const all = Array.from({ length: callers }, (_, number) => caller(number));
  const ended = Promise.allSettled(all).then(() => {});
  return {
    whole,
    refused,
    reached: (count) =>
      new Promise((resolve, reject) => {
        waiting.push({ count, resolve });
        void ended.then(() => reject(new Error(`The load ended after ${whole.length} answers.`)));
      }),
    ended: () => ended,
  };
}
