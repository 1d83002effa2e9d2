import { postChat } from "./served-gateway.ts";

/** An answer that a caller had whole: of a stream, its `[DONE]` included. */
export interface WholeAnswer {
  readonly session_id: string;
  readonly step_id: number;
}

export interface Load {
  /** Answers that came whole, so far. */
  readonly whole: readonly WholeAnswer[];
  /** The codes of errors that were answered instead. */
  readonly refused: readonly string[];
  /** Resolves once so many answers came whole. */
  reached(count: number): Promise<void>;
  /** Resolves once every caller has ended: at its first error, whatever it is. */
  ended(): Promise<void>;
}

/** So many callers, each with one request after the other, plain and streamed in turn, over eight sessions. */
export function startLoad(url: string, callers: number): Load {
  const whole: WholeAnswer[] = [];
  const refused: string[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  const call = async (session_id: string, stream: boolean): Promise<boolean> => {
    const answer = await postChat(url, session_id, stream);
    const text = await answer.text();
    if (answer.status !== 200) {
      refused.push(JSON.parse(text).error.code);
      return false;
    }
    const isWhole = stream
      ? text.endsWith("data: [DONE]\n\n")
      : JSON.parse(text).choices.length > 0;
    if (!isWhole) return false;
    whole.push({ session_id, step_id: Number(answer.headers.get("x-gateway-step-id")) });
    for (const { count, resolve } of waiting) if (whole.length >= count) resolve();
    return true;
  };
  const caller = async (number: number): Promise<void> => {
    for (let stream = number % 2 === 0; await call(`session-${number % 8}`, stream); )
      stream = !stream;
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
