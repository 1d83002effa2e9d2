import type {
  EngineProbeBody,
  Readiness,
  ReadinessBody,
  SessionListBody,
  SessionStatusBody,
} from "@proj/gateway-protocol";
import { objectOf } from "@proj/model-apis/json";

/** Answer of `GET /readyz`; null marks what a gateway with only the basic interface (docs/interfaces.md) leaves out. */
export interface GatewayReadiness {
  readonly status: Readiness;
  readonly storage_type: ReadinessBody["storage_type"];
  readonly storage_config: { readonly db_url: string | null };
  readonly max_steps: number;
  readonly storage_id: string | null;
  readonly base_session_path: string | null;
  /** Where its console's page is; null: it serves none. */
  readonly console_path: string | null;
}

// Each answer is recognized by members that only a gateway's has.

/** Null: the answer is not a gateway's. @param isReady according to the answer's HTTP status */
export function readReadiness(body: unknown, isReady: boolean): GatewayReadiness | null {
  const { status, storage_type, storage_config, max_steps, ...texts } = objectOf(body);
  if (storage_type !== "sqlite" && storage_type !== "cloud") return null;
  if (typeof max_steps !== "number") return null;
  return {
    status: isReady ? "ready" : isReadiness(status) ? status : "starting",
    storage_type,
    storage_config: { db_url: textOf(objectOf(storage_config).db_url) },
    max_steps,
    storage_id: textOf(texts.storage_id),
    base_session_path: textOf(texts.base_session_path),
    console_path: textOf(texts.console_path),
  };
}

const isReadiness = (status: unknown): status is Readiness =>
  status === "starting" ||
  status === "draining" ||
  status === "storage_unavailable" ||
  status === "storage_replaced";

export function isSessionStatus(body: unknown): body is SessionStatusBody {
  const { session_id, status } = objectOf(body);
  return (
    typeof session_id === "string" &&
    (status === "active" || status === "closing" || status === "closed")
  );
}

export function isSessionList(body: unknown): body is SessionListBody {
  return Array.isArray(objectOf(body).sessions);
}

export function isEngineProbe(body: unknown): body is EngineProbeBody {
  const { upstreams } = objectOf(body);
  return (
    Array.isArray(upstreams) && upstreams.every((each) => Array.isArray(objectOf(each).findings))
  );
}

/** The ids of an OpenAI model list; null: the body is not such a list. */
export function readModelIds(body: unknown): readonly string[] | null {
  const { data } = objectOf(body);
  if (!Array.isArray(data)) return null;
  const ids = data.map((model) => textOf(objectOf(model).id));
  return ids.every((id) => id !== null) ? ids : null;
}

/** The members of an object; of any other value, none. */
const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
