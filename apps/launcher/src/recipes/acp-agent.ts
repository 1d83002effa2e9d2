import { readFileSync } from "node:fs";
import {
  type AgentRecipe,
  type PermissionPolicy,
  readPermissionPolicy,
} from "@proj/launcher-client";
import { exitCode, ProgramError } from "@proj/program";
import { parse } from "yaml";
import { builtInRecipe, readRecipeFile, recipeNames } from "./recipe-files.ts";

const prefix = "acp:";

/** An agent that is talked with over the Agent Client Protocol. */
export interface AcpAgent {
  readonly overAcp: AgentRecipe;
  /** Null: it may use every tool. */
  readonly policy: PermissionPolicy | null;
}

/** Whether `--agent` asks for the protocol. */
export const isAcp = (agent: string | null): agent is string => agent?.startsWith(prefix) ?? false;

/**
 * `acp:NAME` is a recipe of the launcher, `acp:FILE.yaml` one of a file, and any other `acp:COMMAND` a command.
 * @param policy a file; null: none
 * @throws ProgramError the recipe or the policy cannot be read, or the recipe has no command for the protocol
 */
export function acpAgent(agent: string, policy: string | null): AcpAgent {
  const given = agent.slice(prefix.length).trim();
  const recipe = recipeOf(given);
  if (recipe.acp === null) {
    const why = `the recipe ${recipe.name} has no line acp: this program does not speak the protocol`;
    throw new ProgramError(`--agent ${agent}: ${why}`, exitCode.usage);
  }
  return { overAcp: recipe, policy: policy === null ? null : readPolicyFile(policy) };
}

function recipeOf(given: string): AgentRecipe {
  if (recipeNames().includes(given)) return builtInRecipe(given);
  return /^\S+\.ya?ml$/.test(given) ? readRecipeFile(given) : commandRecipe(given);
}

/** The variables in which most programs look for a model. */
const commandRecipe = (command: string): AgentRecipe => ({
  name: command.split(/\s/, 1)[0]?.split("/").at(-1)?.slice(0, 64) || "acp",
  install: null,
  files: {},
  env: {
    OPENAI_BASE_URL: "{{llm_base_url}}",
    OPENAI_API_BASE: "{{llm_base_url}}",
    OPENAI_API_KEY: "{{llm_api_key}}",
    OPENAI_MODEL: "{{llm_model}}",
    ANTHROPIC_BASE_URL: "{{llm_base_url}}",
    ANTHROPIC_AUTH_TOKEN: "{{llm_api_key}}",
    ANTHROPIC_MODEL: "{{llm_model}}",
    GOOGLE_GEMINI_BASE_URL: "{{llm_base_url}}",
    GEMINI_API_KEY: "{{llm_api_key}}",
    GEMINI_MODEL: "{{llm_model}}",
  },
  command,
  acp: command,
  answer_file: "answer",
  exit_codes: [0],
});

function readPolicyFile(path: string): PermissionPolicy {
  try {
    return readPermissionPolicy(parse(readFileSync(path, "utf8")));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProgramError(`${path}: ${reason.replaceAll("\n", "\n  ")}`, exitCode.usage);
  }
}
