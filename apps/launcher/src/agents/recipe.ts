import type { SimulationStartRequest } from "@proj/gateway-protocol";
import type { AttemptPaths } from "@proj/launcher-client";

/** How a program that is an agent joins a session. */
export interface AgentRecipe {
  readonly name: string;
  /** The npm package that contains the program. */
  readonly npmPackage: string;
  /** Its configuration and its call, for one session. */
  readonly call: (session: AgentSession) => AgentCall;
}

export interface AgentSession {
  readonly request: SimulationStartRequest;
  readonly paths: AttemptPaths;
}

export interface AgentCall {
  /** By their paths, relative to the agent's home. They hold no secret. */
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  /** A line for the shell: the prompt is in `$HOME/prompt`, the answer goes to `$HOME/answer`. */
  readonly command: string;
}

/** A placeholder for gateways without keys, because programs insist on a key. */
export const keyOf = ({ llm_api_key }: SimulationStartRequest): string => llm_api_key ?? "none";
