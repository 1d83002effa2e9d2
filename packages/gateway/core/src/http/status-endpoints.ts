import type { CleanBody } from "@proj/gateway-protocol";
import { GatewayError } from "../errors/gateway-error.ts";
import { statusBody } from "../session/status-body.ts";
import { sendJson } from "./control-answer.ts";
import type { ControlDependencies } from "./control-dependencies.ts";
import { modelList, modelOf } from "./model-list.ts";
import type { SessionEndpoint } from "./session-endpoint.ts";

/** `GET {session}` */
export function statusEndpoint({ config, registry }: ControlDependencies): SessionEndpoint {
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
export function modelsEndpoint({ routes }: ControlDependencies): SessionEndpoint {
  return {
    method: "GET",
    opensToSessionKey: true,
    serve: (_session_id, req, res, { scope }) =>
      sendJson(res, modelList(routes, req.headers, scope?.models)),
  };
}

/** `GET {session}/models/{id}` @param escaped the id as it is in the path */
export function modelEndpoint({ routes }: ControlDependencies, escaped: string): SessionEndpoint {
  return {
    method: "GET",
    opensToSessionKey: true,
    serve: (_session_id, req, res, { scope }) =>
      sendJson(res, modelOf(routes, escaped, req.headers, scope?.models)),
  };
}

/** `POST {session}/clean` */
export function cleanEndpoint({ registry }: ControlDependencies): SessionEndpoint {
  return {
    method: "POST",
    opensToSessionKey: false,
    serve: async (session_id, _req, res) => {
      const body: CleanBody = { session_id, cleaned: await registry.clean(session_id) };
      sendJson(res, body);
    },
  };
}
