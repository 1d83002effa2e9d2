import { GatewayError } from "./gateway-error.ts";

export const routeNotFound = (model: string): GatewayError =>
  new GatewayError("model_not_found", `The model '${model}' has no route.`, { param: "model" });
