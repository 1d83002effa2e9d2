import type { RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { z } from "zod";

/** `ask`: the evaluator decides. */
export type PermissionRule = "allow" | "deny" | "ask";

/** What is answered when an agent asks whether it may use a tool. */
export interface PermissionPolicy {
  readonly default: PermissionRule;
  /** The first that matches decides. */
  readonly rules: readonly {
    /** The kind of tool, such as `execute`. @default any */
    readonly tool?: string | undefined;
    /** A part of the tool's title or of its input as JSON. @default any */
    readonly contains?: string | undefined;
    readonly decision: PermissionRule;
  }[];
}

/** The launcher's sandbox decides what an agent can do, so the program's own questions are answered with yes. */
export const allowAll: PermissionPolicy = { default: "allow", rules: [] };

const decision = z.enum(["allow", "deny", "ask"]);
const text = z.string().min(1);

const shape = z.strictObject({
  default: decision.default("allow"),
  rules: z
    .array(z.strictObject({ tool: text.optional(), contains: text.optional(), decision }))
    .default([]),
});

/**
 * A policy from the content of its file.
 * @throws TypeError everything that is wrong with it, one a line
 */
export function readPermissionPolicy(value: unknown): PermissionPolicy {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  const { issues } = read.error;
  throw new TypeError(
    issues
      .map(
        ({ path, message }) => `${path.length === 0 ? "the policy" : path.join(".")}: ${message}`,
      )
      .join("\n"),
  );
}

export function ruleFor(
  { default: otherwise, rules }: PermissionPolicy,
  { kind, title, rawInput }: RequestPermissionRequest["toolCall"],
): PermissionRule {
  const said = `${title ?? ""}\n${JSON.stringify(rawInput) ?? ""}`;
  const rule = rules.find(
    ({ tool = kind, contains = "" }) => tool === kind && said.includes(contains),
  );
  return rule?.decision ?? otherwise;
}

/** The agent's own option that says so; without one, the call is cancelled. */
export function permissionAnswer(
  { options }: RequestPermissionRequest,
  isAllowed: boolean,
): RequestPermissionResponse {
  const wanted = isAllowed ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
  const option = wanted.flatMap((kind) => options.filter((each) => each.kind === kind))[0];
  return option === undefined
    ? { outcome: { outcome: "cancelled" } }
    : { outcome: { outcome: "selected", optionId: option.optionId } };
}
