import type { JobStore } from "@proj/session-store";
import type { AgentRuntime, Evaluator, GatewayClient } from "../../src/index.ts";

/** The phases in which a process can die, in order. */
export const phases = [
  "claimed",
  "runtime started",
  "runtime in its first step",
  "runtime ended",
  "close begun",
  "closed",
  "evaluated",
  "reward committed",
  "before clean",
  "after clean",
] as const;

/** `interrupted`: the simulation has another attempt, and this one's session is still open. */
export type Phase = (typeof phases)[number] | "interrupted";

export interface Parts {
  readonly store: JobStore;
  readonly gateway: GatewayClient;
  readonly runtime: AgentRuntime;
  readonly evaluator: Evaluator;
}

/** Whether the attempt's reward is stored: then it is the simulation's only attempt. */
export const isRewarded = (phase: Phase): boolean =>
  phase === "reward committed" || phase === "before clean" || phase === "after clean";

/**
 * The same parts, which report the phase of an attempt and wait there.
 * @param reach not called for the first step: the upstream knows best when that is in progress
 */
export function tellingPhases(
  { store, gateway, runtime, evaluator }: Parts,
  reach: (phase: Phase, session_id: string) => Promise<void>,
): Parts {
  return {
    store: overriding(store, {
      claim: async (claim) => {
        const claimed = await store.claim(claim);
        for (const { session_id } of claimed) await reach("claimed", session_id);
        return claimed;
      },
      interruptStale: async (job_id, stale_after_ms) => {
        const interrupted = await store.interruptStale(job_id, stale_after_ms);
        for (const { session_id } of interrupted) await reach("interrupted", session_id);
        return interrupted;
      },
      commitReward: async (commit) => {
        const outcome = await store.commitReward(commit);
        await reach("reward committed", commit.session_id);
        return outcome;
      },
    }),
    gateway: overriding(gateway, {
      close: async (session_id, options) => {
        const asked = gateway.close(session_id, options);
        const [answer] = await Promise.allSettled([asked, reach("close begun", session_id)]);
        if (answer.status === "rejected") throw answer.reason;
        if (answer.value.closed) await reach("closed", session_id);
        return answer.value;
      },
      clean: async (session_id, options) => {
        await reach("before clean", session_id);
        const cleaned = await gateway.clean(session_id, options);
        await reach("after clean", session_id);
        return cleaned;
      },
    }),
    runtime: {
      ...runtime,
      run: async (request, options) => {
        await reach("runtime started", request.session_id);
        const result = await runtime.run(request, options);
        await reach("runtime ended", request.session_id);
        return result;
      },
    },
    evaluator: {
      description: evaluator.description,
      evaluate: async (request, options) => {
        const evaluation = await evaluator.evaluate(request, options);
        await reach("evaluated", request.simulation.session_id);
        return evaluation;
      },
    },
  };
}

/** The object with some of its methods replaced. */
export function overriding<T extends object>(object: T, methods: Partial<T>): T {
  return new Proxy(object, {
    get: (_, name) => {
      const value: unknown = Reflect.get(name in methods ? methods : object, name);
      return typeof value === "function" ? value.bind(object) : value;
    },
  });
}
