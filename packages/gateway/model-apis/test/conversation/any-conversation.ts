import fc from "fast-check";
import type { Conversation, Sampling } from "../../src/conversation/conversation.ts";
import { noSampling } from "../../src/conversation/read-members.ts";
import type { Utterance, UtterancePart } from "../../src/conversation/utterance.ts";

/** What one API can say of a conversation. */
export interface Abilities {
  readonly roles: readonly ("system" | "user" | "assistant" | "tool")[];
  readonly reasoning: boolean;
  readonly images: boolean;
  readonly errors: boolean;
  readonly tools: boolean;
  readonly formats: boolean;
  readonly stop: boolean;
  readonly effort: boolean;
  readonly strict: boolean;
  /** Whether a stream without usage can be asked for. */
  readonly silent: boolean;
  readonly sampling: readonly (keyof Sampling)[];
}

const said = fc.string({ minLength: 1, unit: "grapheme" });
const text = said.map((text): UtterancePart => ({ kind: "text", text }));
const url = fc.constantFrom("https://example.com/cat.png", "data:image/png;base64,iVBORw0KGgo=");
const schema = fc.constantFrom({ type: "object", properties: { a: { type: "number" } } });
const name = fc.constantFrom("look", "open_door", "go");

const picture = (url: string): UtterancePart => ({ kind: "image", url, type: "any", json: "any" });

/** Conversations that an API can express, in turns as they are played. */
export function conversationsOf(able: Abilities): fc.Arbitrary<Conversation> {
  const content = able.images ? fc.oneof(text, url.map(picture)) : text;
  const user = fc.array(content, { minLength: 1, maxLength: able.images ? 3 : 1 });
  const flag = fc.option(fc.boolean());
  const step = fc.record({
    reasoning: fc.option(said),
    words: said,
    calls: fc.array(fc.record({ name, seen: user, is_error: fc.boolean() }), { maxLength: 2 }),
  });
  const turn = fc.record({ user, steps: fc.array(step, { minLength: 1, maxLength: 2 }) });
  const optional = <Value>(able: boolean, value: fc.Arbitrary<Value>, none: Value) =>
    able ? value : fc.constant(none);
  const tool = fc.record({
    name,
    description: fc.option(said),
    parameters: schema,
    strict: able.strict ? fc.boolean() : fc.constant(null),
  });
  const format = fc.oneof(
    fc.constantFrom({ kind: "text" as const }, { kind: "json_object" as const }),
    fc.record({ kind: fc.constant("json_schema" as const), name: said, schema, strict: flag }),
  );
  return fc
    .record({
      system: fc.array(text, { maxLength: able.roles.includes("system") ? 1 : 0 }),
      turns: fc.array(turn, { minLength: 1, maxLength: 3 }),
      sampling: fc.record(
        Object.fromEntries(able.sampling.map((name) => [name, fc.nat({ max: 5 })])),
      ),
      stop: optional(able.stop, fc.array(said, { maxLength: 2 }), []),
      tools: optional(able.tools, fc.array(tool, { maxLength: 2 }), []),
      choice: optional(
        able.tools,
        fc.oneof(
          fc.constantFrom("auto" as const, "none" as const, "required" as const),
          fc.record({ name }),
        ),
        "auto",
      ),
      parallel: optional(able.tools && !able.errors, flag, null),
      format: optional(able.formats, format, { kind: "text" }),
      effort: optional(able.effort, fc.option(fc.constantFrom("low", "high")), null),
      stream: fc.boolean(),
      usage: fc.boolean(),
    })
    .map(({ system, turns, sampling, stop, tools, choice, parallel, format, effort, ...more }) => {
      const messages: Utterance[] = system.map((part) => ({ role: "system", parts: [part] }));
      let calls = 0;
      for (const { user, steps } of turns) {
        messages.push({ role: "user", parts: user });
        for (const step of able.roles.includes("assistant") ? steps : []) {
          messages.push(...stepOf(step, able, () => `call_${calls++}`));
          // What follows a step without calls is another turn.
          if (messages.at(-1)?.role !== "tool") break;
        }
      }
      return {
        model: "policy",
        messages,
        tools,
        tool_choice: choice,
        parallel_tool_calls: parallel,
        sampling: { ...noSampling, ...sampling },
        stop,
        format,
        reasoning_effort: effort,
        stream: more.stream,
        stream_usage: able.silent ? more.usage : more.stream,
      };
    });
}

interface Step {
  readonly reasoning: string | null;
  readonly words: string;
  readonly calls: readonly {
    readonly name: string;
    readonly seen: readonly UtterancePart[];
    readonly is_error: boolean;
  }[];
}

function stepOf(
  { reasoning, words, calls }: Step,
  able: Abilities,
  next: () => string,
): Utterance[] {
  const thought: UtterancePart[] =
    able.reasoning && reasoning !== null ? [{ kind: "reasoning", text: reasoning }] : [];
  const named = able.roles.includes("tool") ? calls.map((call) => ({ ...call, id: next() })) : [];
  const spoken: Utterance = {
    role: "assistant",
    parts: [
      ...thought,
      { kind: "text", text: words },
      ...named.map(
        ({ id, name }): UtterancePart => ({
          kind: "tool_call",
          call_id: id,
          name,
          arguments: '{"a":1}',
        }),
      ),
    ],
  };
  const results = named.map(({ id, seen, is_error }): Utterance => {
    const failed = able.errors && is_error;
    const part: UtterancePart = {
      ...{ kind: "tool_result", call_id: id, text: "any", parts: seen, is_error: failed },
    };
    return { role: "tool", parts: [part] };
  });
  return [spoken, ...results];
}
