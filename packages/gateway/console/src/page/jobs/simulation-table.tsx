import { dollars } from "@proj/launcher-client/sheets";
import type { Simulation } from "@proj/session-store/answers";
import { useMemo } from "preact/hooks";
import { hrefOf } from "../shell/location.ts";
import { column, type SortedColumn, SortedTable } from "../table/sorted-table.tsx";
import { compact, duration, reward } from "../text/format.ts";
import { rolloutName } from "../text/rollout-name.ts";
import { visible } from "../text/visible.ts";
import { timeOf, type UsageBySession } from "./measures.ts";
import { causeOf, isFailure } from "./simulation-filter.ts";
import { type ScoresBySession, useScores } from "./use-scores.ts";

interface SimulationTableProps {
  readonly job_id: string;
  readonly attempts: readonly Simulation[];
  readonly usage: UsageBySession | null;
  readonly query: URLSearchParams;
}

/** Simulations by any of their numbers. */
export function SimulationTable(props: SimulationTableProps) {
  const { job_id, attempts, usage, query } = props;
  const scores = useScores(job_id);
  const columns = useMemo(() => columnsOf(usage, scores), [usage, scores]);
  return (
    <SortedTable
      {...{ caption: "Simulations", columns, rows: attempts, query }}
      keyOf={({ session_id }) => session_id}
      isFailed={isFailure}
    />
  );
}

/** More names of scores than anybody reads beside each other. */
const maxScores = 8;

function columnsOf(
  usage: UsageBySession | null,
  scores: ScoresBySession | null,
): readonly SortedColumn<Simulation>[] {
  const used = ({ session_id }: Simulation) => usage?.get(session_id);
  const cause = (attempt: Simulation) => causeOf(attempt)?.replace("_", " ");
  return [
    column("simulation", rolloutName, (name, { session_id }) => (
      <a class="entry" href={hrefOf("sessions", session_id)}>
        {name}
      </a>
    )),
    column("group", ({ group_id }) => group_id, visible),
    column("state", ({ status }) => status),
    column("reward", (attempt) => attempt.reward, reward),
    ...(scores?.names ?? [])
      .slice(0, maxScores)
      .map((name) =>
        column<Simulation, number>(
          `score ${visible(name)}`,
          ({ session_id }) => scores?.of(session_id, name),
          reward,
        ),
      ),
    column("tokens", (attempt) => tokensOf(used(attempt)), compact),
    column("cost", (attempt) => used(attempt)?.cost_nano_usd, dollars),
    column("calls", (attempt) => used(attempt)?.calls),
    column("time", timeOf, duration),
    column("cause", cause),
    column(
      "error",
      ({ error }) => error,
      (error) => <span class="error">{visible(error)}</span>,
    ),
  ];
}

const tokensOf = (used: ReturnType<UsageBySession["get"]>): number | null =>
  used === undefined ? null : used.prompt_tokens + used.completion_tokens;
