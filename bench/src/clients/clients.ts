/** A client that joins sessions, in its language's folder below `bench/clients`. */
export interface Client {
  /** Its file in that folder. */
  readonly name: string;
  readonly title: string;
  /** The kit that it is installed with. */
  readonly kit: Kit;
  /** The packages whose versions the table shows. */
  readonly packages: readonly string[];
  /** The API that it speaks. */
  readonly api: "chat completions" | "responses" | "messages" | "generateContent";
  /** Scenarios that it cannot run, or can run in only one way, are left out. */
  readonly scenarios: readonly Scenario[];
}

/** Packages that can be installed together: LiteLLM and OpenAI's agents need different versions of OpenAI's client. */
export type Kit = "javascript" | "python" | "python-litellm";

/**
 * `budget` is the loop of `tools` with a model that never stops calling tools; `tokens` is its longest loop with an
 * inference engine.
 */
export const scenarios = ["plain", "streamed", "tools", "budget", "embeddings", "tokens"] as const;
export type Scenario = (typeof scenarios)[number];
const chats: readonly Scenario[] = ["plain", "streamed", "tools", "budget", "tokens"];

const client = (
  kit: Kit,
  name: string,
  title: string,
  api: Client["api"],
  packages: readonly string[],
  only: readonly Scenario[] = chats,
): Client => ({ name, title, kit, packages, api, scenarios: only });

const js = client.bind(null, "javascript");
const python = client.bind(null, "python");
const litellm = client.bind(null, "python-litellm");
const chat = "chat completions";

export const clients: readonly Client[] = [
  js("openai-chat", "openai", chat, ["openai"], scenarios),
  js("openai-responses", "openai", "responses", ["openai"]),
  js("anthropic", "@anthropic-ai/sdk", "messages", ["@anthropic-ai/sdk"]),
  js(
    "google-genai",
    "@google/genai",
    "generateContent",
    ["@google/genai"],
    [...(["plain", "streamed", "tools", "tokens"] as const)],
  ),
  js("openai-agents", "@openai/agents", "responses", ["@openai/agents"]),
  js(
    "langchain",
    "LangChain and LangGraph",
    chat,
    ["langchain", "@langchain/langgraph"],
    scenarios,
  ),
  js("langchain-anthropic", "LangChain and LangGraph", "messages", ["@langchain/anthropic"]),
  js("ai-sdk", "AI SDK", chat, ["ai", "@ai-sdk/openai-compatible"], scenarios),
  js("mastra", "Mastra", chat, ["@mastra/core"]),
  js("llamaindex", "LlamaIndex", chat, ["llamaindex"], scenarios),
  js("genkit", "Genkit", chat, ["genkit"]),
  js(
    "strands",
    "Strands",
    chat,
    ["@strands-agents/sdk"],
    ["streamed", "tools", "budget", "tokens"],
  ),
  js("instructor", "instructor", chat, ["@instructor-ai/instructor"], ["plain", "tokens"]),
  python("openai_chat", "openai", chat, ["openai"]),
  python("anthropic_messages", "anthropic", "messages", ["anthropic"]),
  python("openai_agents", "openai-agents", "responses", ["openai-agents"]),
  litellm("litellm_sdk", "LiteLLM's SDK", chat, ["litellm"]),
  python("langchain_agent", "LangChain", chat, ["langchain"]),
  python("pydantic_agent", "pydantic-ai", chat, ["pydantic-ai-slim"]),
  python("smol", "smolagents", chat, ["smolagents"], ["plain", "streamed", "tokens"]),
  litellm("mini_swe", "mini-swe-agent", chat, ["mini-swe-agent"], ["plain", "tokens"]),
  python(
    "inspect_agent",
    "inspect_ai",
    chat,
    ["inspect-ai"],
    ["plain", "tools", "budget", "tokens"],
  ),
];
