import type { AgentStart } from "../runtime/agent-command.ts";

/** Where an agent works, and how a command is started there. */
export interface AgentPlace {
  readonly cwd: string;
  /** The folders that it may write to. */
  readonly folders: readonly string[];
  readonly llm_base_url: string;
  start(script: string, variables: Readonly<Record<string, string>>): Promise<AgentStart>;
}
