import type { JobSummary } from "@proj/session-store";
import type { JobsBody } from "@proj/session-store/answers";
import { useMemo, useRef } from "preact/hooks";
import { useViewAnswer } from "../data/use-answer.ts";
import { useKeys } from "../shell/keys.ts";
import { hrefWith, replacePlace, type ViewProps } from "../shell/location.ts";
import { FilterField } from "../table/filter-field.tsx";
import { SortedTable } from "../table/sorted-table.tsx";
import { Notice } from "../text/notice.tsx";
import { columnsOf } from "./job-columns.tsx";
import { useTotals } from "./use-totals.ts";

const refreshMs = 5_000;
const none: readonly JobSummary[] = [];

/** All jobs, the newest first. */
export function JobsView({ query }: ViewProps) {
  const { body, error } = useViewAnswer(
    "jobs",
    (source, signal) => source.ask<JobsBody>("/v1/jobs", signal),
    refreshMs,
  );
  const field = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => field.current?.focus(), Escape: () => field.current?.blur() });
  const jobs = body?.jobs ?? none;
  const totals = useTotals(jobs);
  const columns = useMemo(() => columnsOf(jobs, totals), [jobs, totals]);
  const typed = query.get("find") ?? "";
  const shown = useMemo(() => {
    const word = typed.trim().toLowerCase();
    const has = (text: string): boolean => text.toLowerCase().includes(word);
    return jobs.filter(
      ({ job_id }) => has(job_id) || totals.get(job_id)?.models.some(has) === true,
    );
  }, [jobs, totals, typed]);
  return (
    <div class="page">
      <Notice error={error} />
      {body?.jobs.length === 0 && (
        <p class="empty">
          There are no jobs yet. <code>launcher run</code> starts one; in a clone,{" "}
          <code>npm run demo</code>.
        </p>
      )}
      {jobs.length > 0 && (
        <>
          <FilterField
            {...{ field, typed }}
            name="Filter jobs"
            placeholder="words of a job's name or of its models"
            onTyped={(find) => replacePlace(hrefWith({ find }))}
          />
          <SortedTable
            {...{ caption: "Jobs", columns, rows: shown, query }}
            keyOf={({ job_id }) => job_id}
            isFailed={({ failed, infrastructure }) => failed + infrastructure > 0}
          />
        </>
      )}
      {body === null && error === null && <p class="empty">Loading jobs …</p>}
    </div>
  );
}
