import { createServer } from "node:http";
import type { SimulationStartRequest } from "@proj/gateway-protocol";
import { listen } from "@proj/test-kit";
import { onTestFinished } from "vitest";
import { startRequest } from "../start-request.ts";

/** A gateway, with what it was asked, and a script by which an agent asks for everything that it might reach. */
export async function reachedServers(): Promise<{
  readonly asked: readonly string[];
  readonly request: SimulationStartRequest;
  readonly script: string;
}> {
  const asked: string[] = [];
  const gateway = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume().once("end", () => response.end("of the gateway"));
  });
  const { url, close } = await listen(gateway);
  onTestFinished(close);
  const origin = url.replace(/\/$/, "");
  const request = {
    ...startRequest,
    gateway_base_url: origin,
    llm_base_url: `${origin}/v1/sessions/session-1`,
  };
  const ask = (port: string, target: string): string =>
    `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port} && printf "GET ${target} HTTP/1.0\\r\\n\\r\\n" >&3 && cat <&3' 2>&1; echo`;
  const targets = [
    "/v1/sessions/session-1/models?limit=2",
    "/v1/sessions/session-1",
    "/v1/sessions/session-10/models",
    "/v1/sessions/session-1/../session-2/models",
    "/v1/sessions/session-1/%2e%2E/session-2/models",
    "/v1/sessions/session-1/..%2fsession-2/models",
    "/v1/sessions",
    "/metrics",
    `${origin}/v1/sessions/session-2/models`,
  ];
  const script = [
    `echo "$SIMULATION_START_REQUEST"`,
    ...targets.map((target) => ask("9417", target.replaceAll("%", "%%"))),
    ask(new URL(url).port, "/straight"),
  ].join("\n");
  return { asked, request, script };
}

/** What the gateway was asked by an agent that reaches its session's endpoint and nothing else. */
export const ofTheSession: readonly string[] = [
  "GET /v1/sessions/session-1/models?limit=2",
  "GET /v1/sessions/session-1",
];
