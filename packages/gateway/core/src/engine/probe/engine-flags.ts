/** What to set when an engine's answer cannot be trained on, in the engine's own names. */
interface EngineFlags {
  readonly token_ids: string;
  readonly logprobs: string;
  readonly tool_parser: string;
  readonly reasoning_parser: string;
  readonly weight_versions: string;
}

export const flagsOf: Readonly<Record<"vllm" | "sglang", EngineFlags>> = {
  vllm: {
    token_ids: "vLLM takes and returns ids with chat completions since 0.32",
    logprobs: "Start vLLM with --logprobs-mode processed_logprobs",
    tool_parser: "Start vLLM with --enable-auto-tool-choice --tool-call-parser NAME",
    reasoning_parser: "Start vLLM with --reasoning-parser NAME",
    weight_versions:
      "vLLM tells them with VLLM_SERVER_DEV_MODE=1. Until then rows have the weight_version that the route was resumed with",
  },
  sglang: {
    token_ids:
      "SGLang takes and returns ids with chat completions since 0.5.20. Start it with --tool-call-parser NAME or --reasoning-parser NAME: with neither, it leaves out the log probabilities of tokens without text",
    logprobs: "Start SGLang without SGLANG_RETURN_ORIGINAL_LOGPROB",
    tool_parser: "Start SGLang with --tool-call-parser NAME",
    reasoning_parser: "Start SGLang with --reasoning-parser NAME",
    weight_versions:
      "Start SGLang with --weight-version NAME. Until then rows have the weight_version that the route was resumed with",
  },
};
