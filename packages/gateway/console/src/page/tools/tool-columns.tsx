import type { ToolUse } from "@proj/session-store/answers";
import { filterText } from "../list/filters.ts";
import { hrefOf } from "../shell/location.ts";
import { column, type SortedColumn } from "../table/sorted-table.tsx";
import { count, duration } from "../text/format.ts";
import { visible } from "../text/visible.ts";

/** @param job_id whose sessions with a tool are linked; null: the tools are those of one session */
export function toolColumns(job_id: string | null): readonly SortedColumn<ToolUse>[] {
  const sessionsOf = ({ name }: ToolUse): string =>
    hrefOf("sessions", null, {
      q: `${filterText("job", job_id ?? "")} ${filterText("tool", name)}`,
    });
  return [
    column("tool", ({ name }) => name, visible),
    ...(job_id === null
      ? []
      : [
          column<ToolUse, number>(
            "sessions",
            ({ sessions }) => sessions,
            (sessions, tool) => <a href={sessionsOf(tool)}>{count(sessions)}</a>,
          ),
        ]),
    column("calls", ({ calls }) => calls, count),
    column("failed", ({ failed }) => failed, count),
    column("failure rate", rateOf, (rate) => `${(100 * rate).toFixed(1)} %`),
    column("without a result", ({ calls, results }) => calls - results, count),
    column("mean time", ({ timed, total_ms }) => (timed === 0 ? null : total_ms / timed), duration),
    column("longest time", ({ longest_ms }) => longest_ms, duration),
    column("time in all", ({ timed, total_ms }) => (timed === 0 ? null : total_ms), duration),
  ];
}

const rateOf = ({ failed, results }: ToolUse): number | null =>
  failed === null ? null : failed / results;
