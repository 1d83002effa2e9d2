import type { ModelListBody } from "@proj/gateway-protocol";
import type { RouteTable } from "./route-table.ts";

/** When the list was made, as its members have no other time of creation; seconds since the epoch. */
const created = Math.floor(Date.now() / 1_000);

/** The route keys as OpenAI clients list models. */
export function modelList(routes: RouteTable): ModelListBody {
  const data = routes.keys.map((id) => ({
    id,
    object: "model" as const,
    created,
    owned_by: "gateway",
  }));
  return { object: "list", data };
}
