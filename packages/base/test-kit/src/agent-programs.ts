/** Agents that tests and benches run, from npm; pinned, because their requests change between versions. */
export const agentPrograms = {
  opencode: { npmPackage: "opencode-ai", version: "1.18.33" },
  "qwen-code": { npmPackage: "@qwen-code/qwen-code", version: "0.24.4" },
  codex: { npmPackage: "@openai/codex", version: "0.169.0" },
  "claude-code": { npmPackage: "@anthropic-ai/claude-code", version: "2.1.330" },
  "gemini-cli": { npmPackage: "@google/gemini-cli", version: "0.61.0" },
} as const;
