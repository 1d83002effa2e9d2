import type { SummaryBody } from "@proj/session-store/answers";
import { useEffect, useState } from "preact/hooks";
import { type Source, sessionPath } from "../data/source.ts";
import { useRefused, useSource } from "../data/use-answer.ts";
import { SessionRows } from "../session/rows.ts";
import { growBranches } from "../session/tree/grow-branches.ts";
import { type Action, actionsOf } from "./action.ts";

export interface Rollout {
  readonly session_id: string;
  readonly actions: readonly Action[];
  /** Null: a session's key does not open it. */
  readonly summary: SummaryBody | null;
  /** It has more steps than a comparison takes. */
  readonly isCut: boolean;
  /** Why it cannot be read; null: it can. */
  readonly problem: string | null;
}

/** Steps of one rollout: aligning takes the square of their number. */
export const maxSteps = 300;

/** Reads the main branch of each session. Null: not read yet. */
export function useRollouts(session_ids: readonly string[]): readonly Rollout[] | null {
  const source = useSource();
  const refused = useRefused();
  const wanted = session_ids.join("\n");
  const [read, setRead] = useState<{ wanted: string; rollouts: readonly Rollout[] } | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    const reading = session_ids.map((session_id) =>
      readRollout(source, session_id, stop.signal).catch((error: unknown): Rollout => {
        if (!stop.signal.aborted) refused(error);
        const problem = error instanceof Error ? error.message : String(error);
        return { session_id, actions: [], summary: null, isCut: false, problem };
      }),
    );
    void Promise.all(reading).then((rollouts) => {
      if (!stop.signal.aborted) setRead({ wanted, rollouts });
    });
    return () => stop.abort();
  }, [source, wanted]);
  return read?.wanted === wanted ? read.rollouts : null;
}

async function readRollout(
  source: Source,
  session_id: string,
  signal: AbortSignal,
): Promise<Rollout> {
  const path = sessionPath(await source.sessionsPath(), session_id);
  const rows = new SessionRows(source, path, () => {});
  await rows.readOn(signal);
  const [main] = growBranches(rows.all);
  const calls = main?.calls.slice(0, maxSteps) ?? [];
  for (const call of calls) if (rows.whole(call) === null) await rows.read(call, signal);
  const steps = calls.flatMap((call) => rows.whole(call) ?? []);
  const summary =
    steps.length === 0
      ? null
      : await source.ask<SummaryBody>(`${path}/summary`, signal).catch(() => null);
  return {
    session_id,
    actions: steps.flatMap(actionsOf),
    summary,
    isCut: (main?.calls.length ?? 0) > maxSteps,
    problem: steps.length === 0 ? "Nothing is recorded for it." : null,
  };
}
