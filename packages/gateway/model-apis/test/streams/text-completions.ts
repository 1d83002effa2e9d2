import fc from "fast-check";
import { texts } from "./chat-completions.ts";
import { Dice } from "./event-stream-writer.ts";

type Json = Record<string, unknown>;

/** One token of a choice, with what is reported about it. */
interface Token {
  readonly text: string;
  readonly logprob: number;
  readonly id: number;
}

export interface TextChoice extends Json {
  readonly index: number;
  readonly text: string;
  readonly logprobs: Json | null;
  readonly finish_reason: string;
}

export interface TextCompletion extends Json {
  readonly choices: readonly TextChoice[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number };
}

/** A completion of the older API, and the chunks in which a server may stream it, without `[DONE]`. */
export interface StreamedText {
  readonly completion: TextCompletion;
  readonly chunks: readonly Json[];
}

const tokens: fc.Arbitrary<Token> = fc.record({
  text: texts,
  logprob: fc.double({ noNaN: true, noDefaultInfinity: true }),
  id: fc.nat(200_000),
});

const choices = fc.record({
  tokens: fc.array(tokens, { maxLength: 5 }),
  hasLogprobs: fc.boolean(),
  hasIds: fc.boolean(),
  finish_reason: fc.constantFrom("stop", "length", "content_filter"),
});

/** What the API says about tokens whose text begins at `offset` characters. */
const logprobsOf = (list: readonly Token[], offset: number): Json => ({
  tokens: list.map(({ text }) => text),
  token_logprobs: list.map(({ logprob }) => logprob),
  top_logprobs: list.map(({ text, logprob }) => ({ [`of ${text}`]: logprob })),
  text_offset: list.map((_, at) => offset + lengthOf(list.slice(0, at))),
});

const lengthOf = (list: readonly Token[]): number => textOf(list).length;
const textOf = (list: readonly Token[]): string => list.map(({ text }) => text).join("");

export const streamedTexts: fc.Arbitrary<StreamedText> = fc
  .record({
    head: fc.record({
      id: fc.uuid(),
      object: fc.constant("text_completion"),
      created: fc.nat(),
      model: fc.constantFrom("m", "models/ü"),
      system_fingerprint: fc.constantFrom("fp_1", null),
    }),
    choices: fc.array(choices, { minLength: 1, maxLength: 3 }),
    usage: fc.option(fc.record({ prompt_tokens: fc.nat(), completion_tokens: fc.nat() })),
    seed: fc.integer(),
  })
  .map(({ head, choices: drawn, usage: used, seed }) => {
    const dice = new Dice(seed);
    const usage = used === null ? {} : { usage: used };
    const pieces = drawn.map(({ tokens: list, hasLogprobs, hasIds, finish_reason }, index) => {
      let offset = 0;
      const parts = dice.split(list).map((part): Json => {
        const logprobs = hasLogprobs ? logprobsOf(part, offset) : null;
        offset += lengthOf(part);
        const ids = hasIds ? { token_ids: part.map(({ id }) => id) } : {};
        return { index, text: textOf(part), logprobs, finish_reason: null, ...ids };
      });
      return [...parts, { index, text: "", logprobs: null, finish_reason }];
    });
    const ends = used === null ? [] : [{ ...head, choices: [], usage: used }];
    return {
      completion: {
        ...head,
        choices: drawn.map(({ tokens: list, hasLogprobs, hasIds, finish_reason }, index) => ({
          index,
          text: textOf(list),
          // Without tokens nothing was said about any.
          logprobs: hasLogprobs && list.length > 0 ? logprobsOf(list, 0) : null,
          finish_reason,
          ...(hasIds && list.length > 0 ? { token_ids: list.map(({ id }) => id) } : {}),
        })),
        ...usage,
      },
      chunks: [...dice.interleave(pieces).map((piece) => ({ ...head, choices: [piece] })), ...ends],
    };
  });
