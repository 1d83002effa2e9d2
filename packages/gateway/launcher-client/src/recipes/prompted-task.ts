import { staysInside } from "../workdir/stays-inside.ts";
import { readTaskUser, type TaskUser } from "./task-user.ts";

/** A program's task, from a simulation's `env_params`. */
export interface PromptedTask {
  readonly prompt: string;
  /** Files that exist when it begins, by their paths in its folder. */
  readonly files: Readonly<Record<string, string>>;
  /** Null: as long as the launcher allows. */
  readonly time_limit_s: number | null;
  /** Who answers the agent; null: it has one turn. */
  readonly user: TaskUser | null;
}

/** @throws TypeError what is wrong with the task */
export function readTask(env_params: unknown): PromptedTask {
  const {
    prompt,
    files = {},
    time_limit_s = null,
    user = null,
  }: Record<string, unknown> = {
    ...(typeof env_params === "object" ? env_params : {}),
  };
  if (typeof prompt !== "string" || prompt === "")
    throw new TypeError("env_params.prompt must be the text of the task");
  if (time_limit_s !== null && !(typeof time_limit_s === "number" && time_limit_s > 0))
    throw new TypeError("env_params.time_limit_s must be a number of seconds");
  if (typeof files !== "object" || files === null || Array.isArray(files))
    throw new TypeError("env_params.files must be an object that maps paths to texts");
  const texts: Record<string, string> = {};
  for (const [path, text] of Object.entries(files)) {
    if (typeof text !== "string") throw new TypeError(`env_params.files: ${path} must be a text`);
    if (!staysInside(path))
      throw new TypeError(`env_params.files: ${path} must be a path in the agent's folder`);
    texts[path] = text;
  }
  return { prompt, files: texts, time_limit_s, user: user === null ? null : readTaskUser(user) };
}
