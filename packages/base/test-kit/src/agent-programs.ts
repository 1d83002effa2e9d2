/** Agents that tests and benches run, from npm; pinned, because their requests change between versions. */
export const agentPrograms = {
  opencode: { npmPackage: "opencode-ai", version: "1.18.33" },
  "qwen-code": { npmPackage: "@qwen-code/qwen-code", version: "0.24.4" },
  codex: { npmPackage: "@openai/codex", version: "0.169.0" },
  "claude-code": { npmPackage: "@anthropic-ai/claude-code", version: "2.1.330" },
  "gemini-cli": { npmPackage: "@google/gemini-cli", version: "0.61.0" },
  cline: { npmPackage: "cline", version: "3.0.65" },
  copilot: { npmPackage: "@github/copilot", version: "1.0.102" },
  pi: { npmPackage: "@mariozechner/pi-coding-agent", version: "0.73.1" },
} as const;

/** Likewise from PyPI; the first package has the program's version. */
export const pythonPrograms = {
  aider: ["aider-chat==0.86.2"],
  vibe: ["mistral-vibe==3.0.2"],
  openhands: ["openhands-sdk==1.58.2", "openhands-tools==1.58.2"],
} as const;

/** The Python that suits them all: aider's dependencies need an older one than 3.13, the others one from 3.12. */
export const programsPython = { minMinor: 12, maxMinor: 12 } as const;

/** Agents that speak the Agent Client Protocol by themselves or through an adapter, by the names of their recipes. */
export const acpPrograms: Readonly<
  Record<string, { readonly npmPackage: string; readonly version: string }>
> = {
  "claude-code": { npmPackage: "@agentclientprotocol/claude-agent-acp", version: "0.101.0" },
  codex: { npmPackage: "@agentclientprotocol/codex-acp", version: "2.6.0" },
  "gemini-cli": agentPrograms["gemini-cli"],
  opencode: agentPrograms.opencode,
  "qwen-code": agentPrograms["qwen-code"],
};
