import { z } from "zod";

/** A tool call, or what is new of one; what agents send beside it is not read. */
export interface ToldCall {
  readonly toolCallId: string;
  readonly title?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly kind?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  readonly locations?: readonly { readonly path: string }[] | null | undefined;
  readonly content?: readonly ToldContent[] | null | undefined;
}

interface ToldContent {
  readonly content?: { readonly text?: string | null | undefined } | null | undefined;
  /** Of a file that was changed. */
  readonly path?: string | null | undefined;
  readonly newText?: string | null | undefined;
}

export type SessionUpdate =
  | {
      readonly sessionUpdate: "agent_message_chunk";
      readonly content: { readonly text?: string | null | undefined };
    }
  | (ToldCall & { readonly sessionUpdate: "tool_call" | "tool_call_update" })
  | {
      readonly sessionUpdate: "plan";
      readonly entries: readonly { readonly content: string; readonly status: string }[];
    };

const text = z.string().nullish();

const told = {
  toolCallId: z.string(),
  ...{ title: text, name: text, kind: text, status: text },
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
  locations: z.array(z.object({ path: z.string() })).nullish(),
  content: z
    .array(z.object({ content: z.object({ text }).nullish(), path: text, newText: text }))
    .nullish(),
};

const update: z.ZodType<SessionUpdate> = z.discriminatedUnion("sessionUpdate", [
  z.object({
    sessionUpdate: z.literal("agent_message_chunk"),
    content: z.object({ text }),
  }),
  z.object({ sessionUpdate: z.literal("tool_call"), ...told }),
  z.object({ sessionUpdate: z.literal("tool_call_update"), ...told }),
  z.object({
    sessionUpdate: z.literal("plan"),
    entries: z.array(z.object({ content: z.string(), status: z.string() })),
  }),
]);

const notification = z.object({ update });

/**
 * What an agent tells of its session. Null: something that is not kept, or of a form that is not known; the SDK's own
 * parser would complain of that to the launcher's terminal.
 */
export const readUpdate = (params: unknown): SessionUpdate | null =>
  notification.safeParse(params).data?.update ?? null;
