import type { IncomingHttpHeaders } from "node:http";
import type { SideCallRule, SideCallsConfig } from "@proj/gateway-protocol";
import type { RequestBody } from "@proj/model-apis";
import { outlineRequest, type RequestOutline } from "@proj/model-apis";
import type { AgentLineage } from "../call/agent-lineage.ts";

export interface SideCallRequest {
  readonly headers: IncomingHttpHeaders;
  readonly lineage: AgentLineage | null;
  readonly body: RequestBody;
}

/** The name of the first rule that matches the request; null if none does. */
export function sideCallOf({ when }: SideCallsConfig, request: SideCallRequest): string | null {
  let outline: RequestOutline | null = null;
  const readOutline = (): RequestOutline => {
    outline ??= outlineRequest(request.body);
    return outline;
  };
  return when.find((rule) => holds(rule, request, readOutline))?.name ?? null;
}

function holds(
  { header = {}, request_kind, tools, system }: SideCallRule,
  { headers, lineage }: SideCallRequest,
  outline: () => RequestOutline,
): boolean {
  if (Object.entries(header).some(([name, value]) => headers[name] !== value)) return false;
  if (request_kind !== undefined && lineage?.request_kind !== request_kind) return false;
  if (tools !== undefined && outline().hasTools !== tools) return false;
  return system === undefined || outline().system.includes(system);
}
