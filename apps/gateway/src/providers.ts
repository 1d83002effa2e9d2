/** What a first configuration needs to know about a provider. */
export interface Provider {
  readonly base_url: string;
  /** The environment variable with the key; null: the provider needs none. */
  readonly variable: string | null;
  readonly model: string;
  /** The header that carries the bare key; null: `authorization`, as a bearer token. */
  readonly keyHeader: string | null;
  /** What to change in the file. */
  readonly note: string | null;
}

const keyed = (base_url: string, variable: string, model: string): Provider => ({
  base_url,
  variable,
  model,
  keyHeader: null,
  note: null,
});

const local = (base_url: string, model: string, note: string): Provider => ({
  base_url,
  variable: null,
  model,
  keyHeader: null,
  note,
});

export const providers: Readonly<Record<string, Provider>> = {
  openai: keyed("https://api.openai.com/v1", "OPENAI_API_KEY", "gpt-5-mini"),
  anthropic: keyed("https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", "claude-sonnet-4-5"),
  openrouter: keyed("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", "openai/gpt-5-mini"),
  azure: {
    base_url:
      "https://RESOURCE.openai.azure.com/openai/deployments/DEPLOYMENT?api-version=2024-10-21",
    variable: "AZURE_OPENAI_API_KEY",
    model: "DEPLOYMENT",
    keyHeader: "api-key",
    note: "Put the names of your resource and deployment in base_url and upstream_model.",
  },
  vllm: local(
    "http://127.0.0.1:8000/v1",
    "Qwen/Qwen3-8B",
    "vLLM listens on 8000, so the gateway is on 8001.",
  ),
  sglang: local("http://127.0.0.1:30000/v1", "Qwen/Qwen3-8B", "As sglang.launch_server listens."),
  ollama: local("http://127.0.0.1:11434/v1", "qwen3:8b", "As `ollama serve` listens."),
};

/** The text of a configuration with one route, `policy`. */
export function configFor(name: string, provider: Provider, model: string | null): string {
  const { base_url, variable, keyHeader, note } = provider;
  const key =
    variable === null
      ? []
      : keyHeader === null
        ? [`    api_key: \${${variable}}`]
        : [`    headers: { ${keyHeader}: "\${${variable}}" }`];
  const lines = [
    `# A gateway in front of ${name}. 'gateway check' says what is wrong with it.`,
    ...(note === null ? [] : [`# ${note}`]),
    ...(base_url.includes(":8000/") ? ["listen_port: 8001"] : []),
    "max_steps: 50",
    "llm_routes:",
    "  policy:                     # the `model` that callers ask for",
    `    base_url: ${base_url}`,
    ...key,
    `    upstream_model: ${JSON.stringify(model ?? provider.model)}`,
    "    max_concurrency: 64",
  ];
  return `${lines.join("\n")}\n`;
}
