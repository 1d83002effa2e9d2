import fc from "fast-check";
import { expect, test } from "vitest";
import type { Conversation } from "../../src/conversation/conversation.ts";
import type { Utterance, UtterancePart } from "../../src/conversation/utterance.ts";
import { endpointsByName } from "../../src/endpoints.ts";
import { type Abilities, conversationsOf } from "./any-conversation.ts";

const everything: Abilities = {
  roles: ["system", "user", "assistant", "tool"],
  reasoning: true,
  images: true,
  errors: false,
  tools: true,
  formats: true,
  stop: true,
  effort: true,
  strict: true,
  silent: true,
  sampling: [
    ...(["temperature", "top_p", "top_k", "min_p", "repetition_penalty", "seed"] as const),
    ...(["frequency_penalty", "presence_penalty", "max_tokens", "n", "top_logprobs"] as const),
  ],
};

const abilities = {
  chat_completions: everything,
  responses: {
    ...everything,
    stop: false,
    silent: false,
    sampling: ["temperature", "top_p", "max_tokens", "top_logprobs"],
  },
  messages: {
    ...everything,
    ...{ reasoning: false, errors: true, formats: false, effort: false, silent: false },
    sampling: ["temperature", "top_p", "top_k", "max_tokens"],
  },
  completions: {
    ...everything,
    ...{ roles: ["user"], reasoning: false, images: false, tools: false, formats: false },
    effort: false,
  },
} satisfies Record<string, Abilities>;

/** What a conversation says, without how a part was written in the body that it was read from. */
function meant({ messages, ...conversation }: Conversation): object {
  const partOf = (part: UtterancePart): object => {
    if (part.kind === "image") return { image: part.url };
    if (part.kind !== "tool_result") return part;
    const { call_id, is_error, parts } = part;
    return { call_id, is_error, result: parts.map(partOf) };
  };
  return {
    ...conversation,
    messages: messages.map(({ role, parts }: Utterance) => ({ role, parts: parts.map(partOf) })),
  };
}

for (const name of ["chat_completions", "responses", "messages"] as const)
  test(`a conversation written as a request of ${name} is read as it was`, () => {
    const { readRequest, writeRequest } = endpointsByName[name];
    fc.assert(
      fc.property(conversationsOf(abilities[name]), (conversation) => {
        const written = writeRequest?.(conversation);
        expect(written?.unsupported).toEqual([]);
        const read = readRequest?.(JSON.parse(JSON.stringify(written?.body)));
        expect(read?.unsupported).toEqual([]);
        expect(read && meant(read.conversation)).toEqual(meant(conversation));
      }),
      { numRuns: 200 },
    );
  });

test("a conversation written as a request of generate_content is read as it was, but for what the path says", () => {
  const { readRequest, writeRequest } = endpointsByName.generate_content;
  const able: Abilities = {
    ...everything,
    ...{ images: false, errors: true, strict: false, silent: false },
    sampling: [
      ...(["temperature", "top_p", "top_k", "seed", "frequency_penalty"] as const),
      ...(["presence_penalty", "max_tokens", "n", "top_logprobs"] as const),
    ],
  };
  fc.assert(
    fc.property(conversationsOf(able), (conversation) => {
      const written = writeRequest?.(conversation);
      expect(written?.unsupported).toEqual([]);
      const read = readRequest?.(JSON.parse(JSON.stringify(written?.body)));
      expect(read?.unsupported).toEqual([]);
      const told = { model: "", stream: false, stream_usage: true };
      expect(read && meant(read.conversation)).toEqual(meant({ ...named(conversation), ...told }));
    }),
    { numRuns: 200 },
  );
});

/** A schema of an answer has no name of its own there, and is always strict. */
function named(conversation: Conversation): Conversation {
  const { format } = conversation;
  if (format.kind !== "json_schema") return conversation;
  return { ...conversation, format: { ...format, name: "answer", strict: null } };
}

test("the texts of a conversation are the prompt of a completion", () => {
  const { readRequest, writeRequest } = endpointsByName.completions;
  fc.assert(
    fc.property(conversationsOf(abilities.completions), (conversation) => {
      const [first] = conversation.messages;
      const messages = first === undefined ? [] : [first];
      const written = writeRequest?.({ ...conversation, messages });
      expect(written?.unsupported).toEqual([]);
      const read = readRequest?.(JSON.parse(JSON.stringify(written?.body)));
      expect(read).toEqual({
        conversation: { ...conversation, messages },
        unsupported: [],
        malformed: [],
      });
    }),
    { numRuns: 100 },
  );
});

test("whatever one API says, another writes or names", () => {
  const pairs = Object.keys(abilities) as (keyof typeof abilities)[];
  fc.assert(
    fc.property(
      conversationsOf(abilities.chat_completions),
      fc.constantFrom(...pairs),
      (conversation, to) => {
        const { readRequest, writeRequest } = endpointsByName[to];
        const written = writeRequest?.(conversation);
        const read = readRequest?.(JSON.parse(JSON.stringify(written?.body)));
        expect(read?.unsupported).toEqual([]);
        if (written?.unsupported.length === 0 && to !== "completions")
          expect(read && shared(read.conversation)).toEqual(shared(conversation));
      },
    ),
    { numRuns: 300 },
  );
});

/** Some APIs always send a stream's usage, and some require bounds. */
function shared(conversation: Conversation): object {
  const { stream_usage: _usage, sampling, ...rest } = meant(conversation) as Conversation;
  const { max_tokens: _bound, n, ...others } = sampling;
  const tools = rest.tools.map(({ strict, ...tool }) => ({ ...tool, strict: strict ?? false }));
  return { ...rest, tools, sampling: { ...others, n: n === 1 ? null : n } };
}
