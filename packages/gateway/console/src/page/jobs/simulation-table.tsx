import { dollars } from "@proj/launcher-client/sheets";
import type { Simulation } from "@proj/session-store/answers";
import { useMemo } from "preact/hooks";
import { hrefOf } from "../shell/location.ts";
import { type SortedColumn, SortedTable } from "../table/sorted-table.tsx";
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
  const number = (
    name: string,
    by: (attempt: Simulation) => number | null,
    text: (value: number) => string,
  ): SortedColumn<Simulation> => {
    const show = (attempt: Simulation): string => {
      const value = by(attempt);
      return value === null ? "–" : text(value);
    };
    return { name, by, show };
  };
  const used = ({ session_id }: Simulation) => usage?.get(session_id);
  return [
    {
      name: "simulation",
      by: rolloutName,
      show: (attempt) => (
        <a class="entry" href={hrefOf("sessions", attempt.session_id)}>
          {rolloutName(attempt)}
        </a>
      ),
    },
    {
      name: "group",
      by: ({ group_id }) => group_id,
      show: ({ group_id }) => visible(group_id ?? "–"),
    },
    { name: "state", by: ({ status }) => status },
    number("reward", (attempt) => attempt.reward, reward),
    ...(scores?.names ?? [])
      .slice(0, maxScores)
      .map((name) =>
        number(
          `score ${visible(name)}`,
          ({ session_id }) => scores?.of(session_id, name) ?? null,
          reward,
        ),
      ),
    number("tokens", (attempt) => tokensOf(used(attempt)), compact),
    number("cost", (attempt) => used(attempt)?.cost_nano_usd ?? null, dollars),
    number("calls", (attempt) => used(attempt)?.calls ?? null, String),
    number("time", timeOf, duration),
    {
      name: "cause",
      by: (attempt) => causeOf(attempt)?.replace("_", " ") ?? null,
      show: (attempt) => causeOf(attempt)?.replace("_", " ") ?? "–",
    },
    {
      name: "error",
      by: ({ error }) => error,
      show: ({ error }) => <span class="error">{visible(error ?? "")}</span>,
    },
  ];
}

const tokensOf = (used: ReturnType<UsageBySession["get"]>): number | null =>
  used === undefined ? null : used.prompt_tokens + used.completion_tokens;
