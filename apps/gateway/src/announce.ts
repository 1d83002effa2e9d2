import { type GatewayConfig, gatewayPaths, publicDbUrl } from "@proj/gateway-protocol";
import { demoModel } from "./demo.ts";

export interface Announcement {
  readonly config: GatewayConfig;
  readonly url: string;
  readonly logPath: string;
  readonly isDemo: boolean;
}

/** Tells a person at a terminal what runs, and what to type next. */
export function announce({ config, url, logPath, isDemo }: Announcement): void {
  const paths = gatewayPaths(config.base_session_path);
  const lines: string[] = [];
  if (isDemo)
    lines.push(
      "No --config given: the route 'demo' is a small built-in model, for trying things out.",
    );
  lines.push(`gateway  ${url}`);
  if (config.console) lines.push(`console  ${url}/console`);
  lines.push(`routes   ${Object.keys(config.llm_routes).join(", ")}`);
  lines.push(`rows     ${publicDbUrl(config.storage_config.db_url)} (table session_steps)`);
  const requestLog = config.request_log.enabled ? `, ${config.request_log.path}` : "";
  lines.push(`logs     ${logPath}${requestLog}`);
  if (isDemo) {
    const body = JSON.stringify({
      model: demoModel,
      messages: [{ role: "user", content: "Hello" }],
    });
    lines.push(
      "try      " +
        `curl -s ${url}${paths.sessionChatCompletions("first")} -H 'content-type: application/json' -d '${body}'`,
    );
  }
  console.log(lines.join("\n"));
}
