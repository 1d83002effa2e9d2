import {
  type GatewayConfig,
  publicDbUrl,
  type ReadinessBody,
  type Readiness as ReadinessStatus,
  type ReadinessWarning,
} from "@proj/gateway-protocol";
import { StoreReplacedError } from "@proj/session-store";
import type { Recorder } from "../telemetry/recorder.ts";
import type { StorageProbe } from "../telemetry/storage-probe.ts";

/** Whether the gateway should receive requests. */
export class Readiness {
  readonly #recorder: Pick<Recorder, "failure">;
  readonly #probe: Pick<StorageProbe, "ask" | "warnings">;
  #phase: "starting" | "serving" | "draining" = "starting";
  readonly #ending = new AbortController();
  /**
   * Aborts once shutdown has begun and its delay has passed: model traffic is refused from then on. Readiness is withdrawn
   * before that.
   */
  readonly ending: AbortSignal = this.#ending.signal;

  constructor(recorder: Pick<Recorder, "failure">, probe: Pick<StorageProbe, "ask" | "warnings">) {
    this.#recorder = recorder;
    this.#probe = probe;
  }

  /** Asks storage for changes that may have gone unnoticed. */
  async refresh(): Promise<void> {
    if (this.#phase === "serving") await this.#probe.ask();
  }

  get status(): ReadinessStatus {
    if (this.#phase !== "serving") return this.#phase;
    const { failure } = this.#recorder;
    if (failure === null) return "ready";
    return failure instanceof StoreReplacedError ? "storage_replaced" : "storage_unavailable";
  }

  get warnings(): readonly ReadinessWarning[] {
    return this.#phase === "serving" ? this.#probe.warnings : [];
  }

  started(): void {
    this.#phase = "serving";
  }

  draining(): void {
    this.#phase = "draining";
  }

  /** From here on nothing new starts, and requests that wait for an event are answered. */
  end(): void {
    this.#ending.abort();
  }
}

interface ReadinessFacts {
  readonly warnings?: readonly ReadinessWarning[];
  /** Null: no console is served. */
  readonly console_path?: string | null;
}

/** The body of `/readyz`. @param storage_id null until storage has been reached */
export function readinessBody(
  config: GatewayConfig,
  status: ReadinessStatus,
  storage_id: string | null,
  { warnings = [], console_path = null }: ReadinessFacts = {},
): ReadinessBody {
  return {
    status,
    storage_type: config.storage_type,
    storage_config: { db_url: publicDbUrl(config.storage_config.db_url) },
    max_steps: config.max_steps,
    storage_id,
    base_session_path: config.base_session_path,
    telemetry_mode: config.telemetry.mode,
    ...(console_path === null ? {} : { console_path }),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}
