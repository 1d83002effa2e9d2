import type { SimulationStartRequest } from "@proj/gateway-protocol";
import type { AttemptPaths } from "../workdir/attempt-folder.ts";
import { fillPlain, fillQuoted, type Values } from "./placeholders.ts";

/** How a program that is an agent joins a session; a recipe file has the same members. */
export interface AgentRecipe {
  readonly name: string;
  /** Where people get the program. */
  readonly install: string | null;
  /**
   * Written into the attempt's home, by their paths in it: a text, or a value that is written as JSON. They never hold
   * the key to the model, because folders may be kept.
   */
  readonly files: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string>>;
  /** A line for the shell, without placeholders: the prompt is in `$HOME/prompt`. */
  readonly command: string;
  /** The same for the program as an agent of the Agent Client Protocol; null: it does not speak it. */
  readonly acp: string | null;
  /** The file in the attempt's home that holds the final answer when the command has ended. */
  readonly answer_file: string;
  /** Codes of the command that mean that the agent has ended as it should. */
  readonly exit_codes: readonly number[];
}

/** A recipe for one session. */
export interface AgentCall {
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly command: string;
}

/** A placeholder for gateways without keys, because programs insist on a key. */
const noKey = "none";

export function callOf(
  { files, env, command }: AgentRecipe,
  request: SimulationStartRequest,
  { home, work, tmp }: Pick<AttemptPaths, "home" | "work" | "tmp">,
): AgentCall {
  const { session_id, llm_base_url, llm_model, llm_api_key } = request;
  const values = {
    ...{ session_id, llm_base_url, llm_model, home, work, tmp },
    llm_api_key: llm_api_key ?? noKey,
  };
  return { files: each(files, asFile, values), env: each(env, fillPlain, values), command };
}

const asFile = (content: unknown, values: Values): string =>
  fillQuoted(typeof content === "string" ? content : JSON.stringify(content), values);

const each = <T>(
  record: Readonly<Record<string, T>>,
  fill: (value: T, values: Values) => string,
  values: Values,
): Record<string, string> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, fill(value, values)]));
