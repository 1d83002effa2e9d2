import { z } from "zod";

/** Says a script's turns one after the other. */
export interface ScriptedUser {
  readonly turns: readonly string[];
}

/** A model that plays the user, in a recorded session of its own. */
export interface ModelUser {
  /** Who the user is and wants, as the model's system prompt. */
  readonly persona: string;
  /** A route of the gateway. */
  readonly route: string;
  /** Ends the conversation when the user says it. */
  readonly until: string;
  /** How often the user speaks after the task's prompt, at most. */
  readonly max_turns: number;
}

export type TaskUser = ScriptedUser | ModelUser;

const text = z.string().min(1);
const maxTurns = 100;

const scripted = z.strictObject({ turns: z.array(text).min(1).max(maxTurns) });
const played = z.strictObject({
  persona: text,
  route: text,
  until: text.default("[DONE]"),
  max_turns: z.int().min(1).max(maxTurns).default(10),
});

/** @throws TypeError what is wrong with `env_params.user` */
export function readTaskUser(value: unknown): TaskUser {
  const isScript = typeof value === "object" && value !== null && "turns" in value;
  const read = isScript ? scripted.safeParse(value) : played.safeParse(value);
  if (read.success) return read.data;
  const [{ path = [], message = "" } = {}] = read.error.issues;
  throw new TypeError(`${["env_params.user", ...path].join(".")}: ${message}`);
}
