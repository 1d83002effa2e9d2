import { type AgentRecipe, keyOf } from "./recipe.ts";

/** The launcher decides what an agent may do on the machine, so the programs' own prompts for permission are off. */
const codex: AgentRecipe = {
  name: "codex",
  npmPackage: "@openai/codex",
  call: ({ request, paths }) => ({
    files: {
      ".codex/config.toml": [
        `model = ${JSON.stringify(request.llm_model)}`,
        'model_provider = "session"',
        'approval_policy = "never"',
        'sandbox_mode = "danger-full-access"',
        "[model_providers.session]",
        'name = "session"',
        `base_url = ${JSON.stringify(request.llm_base_url)}`,
        'wire_api = "responses"',
        'env_key = "SESSION_API_KEY"',
        "supports_websockets = false",
        "",
      ].join("\n"),
    },
    env: { CODEX_HOME: `${paths.home}/.codex`, SESSION_API_KEY: keyOf(request) },
    command:
      'codex exec --skip-git-repo-check --output-last-message "$HOME/answer" - < "$HOME/prompt"',
  }),
};

const claudeCode: AgentRecipe = {
  name: "claude-code",
  npmPackage: "@anthropic-ai/claude-code",
  call: ({ request, paths }) => {
    const model = request.llm_model;
    return {
      files: {},
      env: {
        ANTHROPIC_BASE_URL: request.llm_base_url,
        ANTHROPIC_AUTH_TOKEN: keyOf(request),
        ANTHROPIC_MODEL: model,
        ANTHROPIC_DEFAULT_OPUS_MODEL: model,
        ANTHROPIC_DEFAULT_SONNET_MODEL: model,
        ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
        CLAUDE_CODE_SUBAGENT_MODEL: model,
        CLAUDE_CODE_ATTRIBUTION_HEADER: "0",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        CLAUDE_CONFIG_DIR: `${paths.home}/.claude`,
        DISABLE_AUTOUPDATER: "1",
        // Without this, the program still asks for the permissions that are skipped.
        IS_SANDBOX: "1",
      },
      command: 'claude --print --dangerously-skip-permissions < "$HOME/prompt" > "$HOME/answer"',
    };
  },
};

const opencode: AgentRecipe = {
  name: "opencode",
  npmPackage: "opencode-ai",
  call: ({ request }) => {
    const model = `session/${request.llm_model}`;
    const provider = {
      npm: "@ai-sdk/openai-compatible",
      options: { baseURL: request.llm_base_url, apiKey: "{env:SESSION_API_KEY}" },
      models: { [request.llm_model]: {} },
    };
    const config = {
      model,
      small_model: model,
      autoupdate: false,
      provider: { session: provider },
    };
    return {
      files: { ".config/opencode/opencode.json": JSON.stringify(config) },
      env: {
        SESSION_API_KEY: keyOf(request),
        // Otherwise it would ask the internet for these, and wait.
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      },
      // A given title saves the call that would generate one.
      // The prompt is data, also where it begins like an option.
      command: 'opencode run --title simulation < "$HOME/prompt" > "$HOME/answer"',
    };
  },
};

const qwenCode: AgentRecipe = {
  name: "qwen-code",
  npmPackage: "@qwen-code/qwen-code",
  call: ({ request }) => ({
    files: {},
    env: {
      OPENAI_BASE_URL: request.llm_base_url,
      OPENAI_API_KEY: keyOf(request),
      OPENAI_MODEL: request.llm_model,
    },
    command: 'qwen --auth-type openai --yolo < "$HOME/prompt" > "$HOME/answer"',
  }),
};

export const recipes: readonly AgentRecipe[] = [codex, claudeCode, opencode, qwenCode];
