/** Where a model is called, by the prefix of its name: a platform's dates are its own. */
interface Platform {
  readonly prefix: RegExp;
  /** Slugs of the feed's providers for this platform; none: the feed knows nothing about it. */
  readonly slugs: readonly string[];
}

const named = (names: string, ...slugs: readonly string[]): Platform => ({
  prefix: new RegExp(`^(?:${names})[/:]`, "i"),
  slugs,
});

const platforms: readonly Platform[] = [
  named("azure(?:_ai|_text)?", "azure"),
  {
    prefix: /^bedrock(?:_converse)?[/:]|^arn:aws|^(?:us|eu|apac|ap|jp|global)\./i,
    slugs: ["aws-bedrock"],
  },
  {
    prefix: /^vertex(?:_ai)?(?:_beta)?[/:]|^projects\/|^publishers\//i,
    slugs: ["google-vertex", "google-vertex-partners"],
  },
  named("gemini|google", "google-gemini", "google-changelog"),
  named("groq", "groq"),
  named("anthropic", "anthropic"),
  named("mistral(?:ai)?", "mistral"),
  named("cohere(?:_chat)?", "cohere"),
  named("xai|x-ai", "xai"),
  named("openai", "openai"),
  named("deepseek", "deepseek"),
  named("dashscope|alibaba", "alibaba"),
  named("moonshot(?:ai)?", "moonshot"),
  named("cerebras", "cerebras"),
  named("fireworks(?:_ai)?", "fireworks"),
  named("minimax", "minimax"),
  named("zai|z-ai", "z-ai"),
  named("perplexity", "perplexity"),
  named(
    "ollama(?:_chat)?|openrouter|together(?:_ai|computer)?|replicate|huggingface|hosted_vllm|vllm|lm_studio|lmstudio|llamafile|deepinfra|nvidia_nim|sambanova|novita|nebius|baseten|databricks|watsonx|sagemaker|github(?:_copilot)?|snowflake|hyperbolic|predibase|anyscale|cloudflare|oci|friendliai|voyage|jina_ai",
  ),
];

/** Whether a name says by its prefix where it is called. */
export const isOnPlatform = (name: string): boolean => platformOf(name) !== null;

/** Slugs of the providers whose dates apply to a name; null: it does not say where it is called. */
export const platformOf = (name: string): readonly string[] | null =>
  platforms.find(({ prefix }) => prefix.test(name))?.slugs ?? null;
