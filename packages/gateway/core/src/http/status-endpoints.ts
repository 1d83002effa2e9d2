import type { CleanBody, GatewayConfig } from "@proj/gateway-protocol";
import { GatewayError } from "../errors/gateway-error.ts";
import type { RouteTable } from "../routes/route-table.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import { statusBody } from "../session/status-body.ts";
import { sendJson } from "./control-answer.ts";
import { modelList, modelOf } from "./model-list.ts";
import type { SessionEndpoint } from "./session-endpoint.ts";

export interface StatusDependencies {
  readonly config: GatewayConfig;
  readonly registry: SessionRegistry;
  readonly routes: RouteTable;
}

/** `GET {session}` */
export function statusEndpoint({ config, registry }: StatusDependencies): SessionEndpoint {
  return {
    method: "GET",
    opensToSessionKey: true,
    serve: (session_id, _req, res) => {
      const session = registry.find(session_id);
      if (session === null)
        throw new GatewayError(
          "session_not_found",
          `Session '${session_id}' is not in memory here. Its next request, or its close, loads it.`,
        );
      sendJson(res, statusBody(session, config));
    },
  };
}

/** `GET {session}/models` */
export function modelsEndpoint({ routes }: StatusDependencies): SessionEndpoint {
  return {
    method: "GET",
    opensToSessionKey: true,
    serve: (_session_id, req, res, { scope }) =>
      sendJson(res, modelList(routes, req.headers, scope?.models)),
  };
}

/** `GET {session}/models/{id}` @param escaped the id as it is in the path */
export function modelEndpoint({ routes }: StatusDependencies, escaped: string): SessionEndpoint {
  return {
    method: "GET",
    opensToSessionKey: true,
    serve: (_session_id, req, res, { scope }) =>
      sendJson(res, modelOf(routes, escaped, req.headers, scope?.models)),
  };
}

/** `POST {session}/clean` */
export function cleanEndpoint({ registry }: StatusDependencies): SessionEndpoint {
  return {
    method: "POST",
    opensToSessionKey: false,
    serve: async (session_id, _req, res) => {
      const body: CleanBody = { session_id, cleaned: await registry.clean(session_id) };
      sendJson(res, body);
    },
  };
}
