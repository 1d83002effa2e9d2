import { startDemoUpstream } from "@proj/demo-upstream";
import { type GatewayConfig, parseConfig } from "@proj/gateway-protocol";

export const demoModel = "demo";

export interface Demo {
  readonly config: GatewayConfig;
  close(): Promise<void>;
}

/** A configuration that needs no account: one route to our own model, which runs in this process. */
export async function startDemo(): Promise<Demo> {
  const upstream = await startDemoUpstream();
  const text = `llm_routes: { ${demoModel}: { base_url: "${upstream.url}", endpoints: [chat_completions, responses, messages] } }`;
  return { config: parseConfig(text, "the built-in configuration"), close: () => upstream.close() };
}
