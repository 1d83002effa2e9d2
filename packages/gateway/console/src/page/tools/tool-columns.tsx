import type { ToolUse } from "@proj/session-store/answers";
import { filterText } from "../list/filters.ts";
import { hrefOf } from "../shell/location.ts";
import type { SortedColumn } from "../table/sorted-table.tsx";
import { count, duration } from "../text/format.ts";
import { visible } from "../text/visible.ts";

/** @param job_id whose sessions with a tool are linked; null: the tools are those of one session */
export function toolColumns(job_id: string | null): readonly SortedColumn<ToolUse>[] {
  const number = (
    name: string,
    by: (tool: ToolUse) => number | null,
    text: (value: number) => string,
  ): SortedColumn<ToolUse> => ({
    name,
    by,
    show: (tool) => {
      const value = by(tool);
      return value === null ? "–" : text(value);
    },
  });
  const sessionsOf = ({ name }: ToolUse): string =>
    hrefOf("sessions", null, {
      q: `${filterText("job", job_id ?? "")} ${filterText("tool", name)}`,
    });
  const sessions: SortedColumn<ToolUse> = {
    name: "sessions",
    by: (tool) => tool.sessions,
    show: (tool) => <a href={sessionsOf(tool)}>{count(tool.sessions)}</a>,
  };
  return [
    { name: "tool", by: ({ name }) => name, show: ({ name }) => visible(name) },
    ...(job_id === null ? [] : [sessions]),
    number("calls", ({ calls }) => calls, count),
    number("failed", ({ failed }) => failed, count),
    number("failure rate", rateOf, (rate) => `${(100 * rate).toFixed(1)} %`),
    number("without a result", ({ calls, results }) => calls - results, count),
    number("mean time", ({ timed, total_ms }) => (timed === 0 ? null : total_ms / timed), duration),
    number("longest time", ({ longest_ms }) => longest_ms, duration),
    number("time in all", ({ timed, total_ms }) => (timed === 0 ? null : total_ms), duration),
  ];
}

const rateOf = ({ failed, results }: ToolUse): number | null =>
  failed === null ? null : failed / results;
