import type { agentPrograms, pythonPrograms } from "@proj/test-kit";

export type ProgramName = keyof typeof agentPrograms | keyof typeof pythonPrograms;

/** What is special about one of the launcher's agents. */
export interface ProgramTraits {
  readonly api: "messages" | "responses" | "chat completions" | "generateContent";
  /** Whether it runs commands. @default true */
  readonly hasTools?: false;
  /** Whether it gives work to a subagent. @default true */
  readonly hasSubagents?: false;
  /**
   * Why its prompts are rendered whole, sorted; `first` begins a conversation. A summary is one of its own where the
   * program writes the conversation into a text.
   */
  readonly rendered: readonly string[];
  /** Changes its recipe so that it compacts the conversation. */
  readonly edit?: (recipe: string) => string;
}

const chat = "chat completions";

export const programTraits: Readonly<Record<ProgramName, ProgramTraits>> = {
  "claude-code": { api: "messages", rendered: ["compacted", "first", "first"] },
  // It asks for the summary without tools.
  codex: { api: "responses", rendered: ["compacted", "first", "first", "tools_changed"] },
  opencode: {
    api: chat,
    rendered: ["compacted", "first", "first", "first"],
    edit: (recipe) =>
      changed(
        recipe,
        '{{llm_model}}": {}',
        '{{llm_model}}": { limit: { context: 500000, output: 8000 } }',
      ),
  },
  // It puts its list of skills into the first message again, one step behind the summary.
  "qwen-code": {
    api: chat,
    rendered: ["compacted", "first", "first", "history_rewritten", "system_changed"],
  },
  "gemini-cli": {
    api: "generateContent",
    // When it is resumed, its first message names other files. It has the model check the summary behind a history
    // without the request for it.
    rendered: ["compacted", "first", "first", "history_rewritten", "history_rewritten"],
    edit: (recipe) => {
      const small = changed(
        recipe,
        "general:",
        "model: { compressionThreshold: 0.013 }\n    general:",
      );
      return withLongTask(toldToGoOn(small, "gemini --resume latest"));
    },
  },
  copilot: {
    api: chat,
    rendered: ["compacted", "first", "first"],
    edit: (recipe) =>
      changed(recipe, "env:\n", 'env:\n  COPILOT_PROVIDER_MAX_PROMPT_TOKENS: "500000"\n'),
  },
  pi: {
    api: chat,
    hasSubagents: false,
    rendered: ["compacted", "first", "first"],
    edit: (recipe) =>
      toldToGoOn(
        changed(
          recipe,
          "env:\n",
          "  .pi/agent/settings.json: { compaction: { keepRecentTokens: 1 } }\nenv:\n",
        ),
        "pi --continue",
      ),
  },
  // It offers the model no tool for subagents.
  vibe: {
    api: chat,
    hasSubagents: false,
    rendered: ["compacted", "first"],
    edit: (recipe) =>
      changed(
        recipe,
        'alias = "session"\n',
        'alias = "session"\n    auto_compact_threshold = 500000\n',
      ),
  },
  // It goes by its own estimate of the tokens, which the task keeps small.
  cline: { api: chat, hasSubagents: false, rendered: ["first"] },
  openhands: {
    api: chat,
    rendered: ["compacted", "first", "first", "first"],
    edit: (recipe) =>
      [
        [
          "    llm = ",
          `    from openhands.sdk.context.condenser import LLMSummarizingCondenser
    from openhands.tools.preset.default import register_builtins_agents
    from openhands.tools.task import TaskToolSet

    register_builtins_agents(enable_browser=False)
    llm = `,
        ],
        ["tools = [", "tools = [Tool(name=TaskToolSet.name), "],
        ["tools=tools)", "tools=tools, condenser=LLMSummarizingCondenser(llm=llm, max_size=8))"],
      ].reduce((edited, [found = "", here = ""]) => changed(edited, found, here), recipe),
  },
  aider: { api: chat, hasTools: false, hasSubagents: false, rendered: ["first"] },
};

function changed(recipe: string, found: string, here: string): string {
  if (!recipe.includes(found)) throw new Error(`a recipe has no ${found}`);
  return recipe.replace(found, () => here);
}

/** For programs that compact the conversation when the user speaks again. */
const toldToGoOn = (recipe: string, resumed: string): string =>
  recipe.replace(
    /^command: \w+(.*) < "\$HOME\/prompt"(.*)$/m,
    (first, options, rest) => `${first} && echo Go on. | ${resumed}${options}${rest}`,
  );

/** Makes the task too long to be kept. */
const withLongTask = (recipe: string): string =>
  recipe.replace("command:", 'command: yes Carefully. | head -c 60000 >> "$HOME/prompt" &&');
