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
  /** The inference engine that it is, asked in token ids, so that its answers can be trained on; null: none. */
  readonly engine: Engine | null;
}

export interface Engine {
  readonly name: "vllm" | "sglang";
  /** Whether it renders prompts itself if the gateway has no tokenizer. */
  readonly renders: boolean;
  /** How to start it for training. */
  readonly start: string;
}

const keyed = (base_url: string, variable: string, model: string): Provider => ({
  base_url,
  variable,
  model,
  keyHeader: null,
  note: null,
  engine: null,
});

const local = (
  base_url: string,
  model: string,
  note: string,
  engine: Engine | null = null,
): Provider => ({ base_url, variable: null, model, keyHeader: null, note, engine });

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
    engine: null,
  },
  vllm: local(
    "http://127.0.0.1:8000/v1",
    "Qwen/Qwen3-8B",
    "vLLM listens on 8000, so the gateway is on 8001.",
    {
      name: "vllm",
      renders: true,
      start:
        "vllm serve MODEL --logprobs-mode processed_logprobs --enable-auto-tool-choice --tool-call-parser hermes",
    },
  ),
  sglang: local("http://127.0.0.1:30000/v1", "Qwen/Qwen3-8B", "As sglang.launch_server listens.", {
    name: "sglang",
    renders: false,
    start: "python -m sglang.launch_server --model-path MODEL --tool-call-parser qwen25",
  }),
  ollama: local("http://127.0.0.1:11434/v1", "qwen3:8b", "As `ollama serve` listens."),
};

/**
 * The text of a configuration with one route, `policy`.
 * @param tokenizer the model's folder; null: unknown
 */
export function configFor(
  name: string,
  provider: Provider,
  model: string | null,
  tokenizer: string | null = null,
): string {
  const { base_url, variable, keyHeader, note, engine } = provider;
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
    ...(engine === null ? [] : engineLines(engine, tokenizer)),
  ];
  return `${lines.join("\n")}\n`;
}

function engineLines({ name, renders, start }: Engine, tokenizer: string | null): string[] {
  const known = tokenizer === null ? null : JSON.stringify(tokenizer);
  const folder = [
    "    # The model's folder, with tokenizer.json, tokenizer_config.json and the chat template: prompts are",
    `    # rendered here. ${renders ? "Without it, vLLM is asked to render them." : "SGLang does not render them: it is needed."}`,
    known === null && renders
      ? "    # tokenizer: /models/policy"
      : `    tokenizer: ${known ?? "/models/policy"}`,
  ];
  return [
    "    # For training: the engine is asked in token ids, and rows have the ids and log probabilities of what agents",
    "    # of every API sampled. Start it with",
    `    #   ${start}`,
    `    engine: ${name}`,
    ...folder,
  ];
}
