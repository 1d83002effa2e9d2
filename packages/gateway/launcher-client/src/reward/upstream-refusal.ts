import { maskUrl } from "@proj/gateway-protocol";
import { parsedObject } from "@proj/model-apis/json";
import type { JobStore, StoredStep } from "@proj/session-store";

/** An upstream that refuses a route, whatever the request. */
export interface UpstreamRefusal {
  /** The route key. */
  readonly model: string;
  /** The newest refused step. */
  readonly step_id: number;
  readonly upstream_status_code: 401 | 404;
  /** Begins with "Upstream 401 or 404", and names the route and the cause. */
  readonly message: string;
}

/**
 * Whether the route itself is wrong, judged by a session's steps: the upstream answered 401 or 404, and no 200 after
 * it (specification, "Errors").
 * @throws StoreUnavailableError; the signal's reason
 */
export async function upstreamRefusal(
  store: Pick<JobStore, "readSteps">,
  session_id: string,
  model: string,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<UpstreamRefusal | null> {
  let refused: UpstreamRefusal | null = null;
  for (let after: number | null = 0; after !== null; ) {
    signal?.throwIfAborted();
    const page = await store.readSteps({ session_id, model, after });
    for (const step of page.steps) {
      if (step.status_code === 200) refused = null;
      else refused = refusalOf(step) ?? refused;
    }
    after = page.next_after;
  }
  return refused;
}

function refusalOf({ model, step_id, meta_json }: StoredStep): UpstreamRefusal | null {
  const { upstream_status_code, upstream_model, replica } = parsedObject(meta_json);
  if (upstream_status_code !== 401 && upstream_status_code !== 404) return null;
  const at = typeof replica === "string" ? ` at ${maskUrl(replica)}` : "";
  const cause =
    upstream_status_code === 401
      ? "the route's api_key is missing or wrong"
      : `the route's base_url or its upstream_model (${JSON.stringify(upstream_model ?? model)}) is wrong`;
  const what = `the upstream of route ${JSON.stringify(model)}${at} answered ${upstream_status_code} to step ${step_id}`;
  const message = `Upstream 401 or 404: ${what}: ${cause}`;
  return { model, step_id, upstream_status_code, message };
}
