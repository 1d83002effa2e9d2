import { randomUUID } from "node:crypto";
import type { EnvironmentRow } from "@proj/session-store";
import { type RunningProcess, waitFor } from "@proj/test-kit";
import {
  createGatewayClient,
  functionRuntime,
  type LauncherEvent,
  SimulationManager,
  type SimulationManagerOptions,
} from "../../src/index.ts";
import { simulations } from "../manager/rollout.ts";
import { takeTwoSteps } from "./agent.ts";
import type { CrashSite } from "./crash-site.ts";
import { heldParts } from "./held-parts.ts";
import type { LauncherOptions } from "./launcher-program.ts";
import type { Phase } from "./phases.ts";

/** A launcher with a watched attempt that waits in a phase. */
export interface HoldingLauncher {
  /** Resolves with the attempt's session once the attempt has reached the phase. */
  reached(): Promise<string>;
}

export interface LauncherProcess extends HoldingLauncher {
  readonly process: RunningProcess;
}

export interface LauncherHere extends HoldingLauncher {
  readonly events: readonly LauncherEvent[];
  readonly job: ReturnType<SimulationManager["run"]>;
  /** Ends the wait. */
  goOn(): void;
}

/** How long other launchers wait before they take over a silent launcher's attempts, in milliseconds. */
export const soon = { heartbeatTimeoutMs: 1_000 } as const;
export const late = { heartbeatTimeoutMs: 60_000 } as const;

/** A job that launchers share. Each launcher runs two simulations at once. */
export class CrashJob {
  readonly job_id: string = randomUUID();
  readonly site: CrashSite;

  constructor(site: CrashSite) {
    this.site = site;
  }

  static async add(site: CrashSite, count: number): Promise<CrashJob> {
    const job = new CrashJob(site);
    await site.store.addSimulations(job.job_id, simulations(count));
    return job;
  }

  /** In the order of simulation and attempt. */
  async environments(): Promise<readonly EnvironmentRow[]> {
    return (await this.site.store.readEnvironments({ job_id: this.job_id })).environments;
  }

  /** Starts a launcher in its own process, to be killed. */
  start(
    hold: Phase | null,
    options: Partial<LauncherOptions> & Pick<LauncherOptions, "heartbeatTimeoutMs">,
  ): LauncherProcess {
    const { db_url, gateway, llm_model, start } = this.site;
    const all: LauncherOptions = {
      ...{ job_id: this.job_id, gateway_base_url: gateway.baseUrl, db_url, llm_model },
      ...{ concurrency: 2, hold, command: null, place: null, isShared: false },
      ...options,
    };
    const launcher = start("./launcher-program.ts", JSON.stringify(all));
    return {
      process: launcher,
      reached: () =>
        this.#reached(hold, async () => {
          const line = await launcher.line(/^reached /);
          return line.replace("reached ", "");
        }),
    };
  }

  /** Starts a launcher in this process. */
  startHere(hold: Phase | null, options: Partial<SimulationManagerOptions>): LauncherHere {
    const { store, llm_model } = this.site;
    const gateway = createGatewayClient({ baseUrl: this.site.gateway.baseUrl });
    const reached = Promise.withResolvers<string>();
    const goOn = Promise.withResolvers<void>();
    const events: LauncherEvent[] = [];
    const runtime = functionRuntime((request) => takeTwoSteps(request, hold));
    const parts = heldParts({ store, gateway, runtime, hold }, async (session_id) => {
      reached.resolve(session_id);
      await goOn.promise;
    });
    const manager = new SimulationManager({
      ...parts,
      ...{ job_id: this.job_id, llm_model, concurrency: 2 },
      tell: (event) => events.push(event),
      ...options,
    });
    return {
      events,
      job: manager.run().finally(() => gateway.end()),
      reached: () => this.#reached(hold, () => reached.promise),
      goOn: goOn.resolve,
    };
  }

  async #reached(hold: Phase | null, told: () => Promise<string>): Promise<string> {
    if (hold === "runtime in its first step") return this.site.heldSession(this.job_id);
    const session_id = await told();
    if (hold === "close begun") {
      const isClosing = async (): Promise<boolean> =>
        (await this.site.gateway.session(session_id))?.status === "closing";
      await waitFor(isClosing, "the session to be closing");
    }
    return session_id;
  }
}
