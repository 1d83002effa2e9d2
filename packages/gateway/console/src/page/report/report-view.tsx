import { comparisonSheet, reportSheet } from "@proj/launcher-client/sheets";
import { compareJobs } from "@proj/launcher-client/statistics";
import type { JobsBody } from "@proj/session-store/answers";
import { useMemo } from "preact/hooks";
import { useAnswer, useSource } from "../data/use-answer.ts";
import { hrefOf, hrefWith, replacePlace, type ViewProps } from "../shell/location.ts";
import { Choice } from "../table/choice.tsx";
import { SortedTable } from "../table/sorted-table.tsx";
import { Notice } from "../text/notice.tsx";
import { visible } from "../text/visible.ts";
import { comparedColumns, rolloutColumns, taskColumns } from "./report-columns.tsx";
import { ScoreChoice } from "./score-choice.tsx";
import { Told } from "./told.tsx";
import { type NamedReport, type Reported, useReports } from "./use-report.ts";

/** The numbers of a job, `job`, or those of `against` and `job` compared. */
export function ReportView({ query }: ViewProps) {
  const [job_id = "", against = ""] = [query.get("job") ?? "", query.get("against") ?? ""];
  const { isLive } = useSource();
  const job_ids = [against, job_id].filter((id) => id !== "");
  const reported: Reported = {
    score: query.get("score") ?? "reward",
    by: query.get("by") || null,
    hasTools: query.get("tools") === "true",
  };
  const { reports, scores, error } = useReports(job_ids, reported);
  if (reports === null)
    return (
      <div class="page">
        {error === null ? <p class="empty">Loading the numbers …</p> : <Notice error={error} />}
      </div>
    );
  const [a, b] = reports;
  return (
    <div class="page report">
      <h2>
        {b === undefined ? "Report of " : "Comparison of "}
        <a href={hrefOf("jobs", job_id)}>{visible(job_id)}</a>
        {b !== undefined && (
          <>
            {" "}
            with <a href={hrefOf("jobs", against)}>{visible(against)}</a>
          </>
        )}
      </h2>
      <Against job_id={job_id} against={against} />
      <ScoreChoice scores={scores} {...reported} />
      {isLive && !reported.hasTools && (
        <button type="button" onClick={() => replacePlace(hrefWith({ tools: "true" }))}>
          Count tool calls that failed
        </button>
      )}
      {a !== undefined && (
        <Told sheet={b === undefined ? reportSheet(a) : comparisonSheet(a, b, compareJobs(a, b))} />
      )}
      {a !== undefined &&
        (b === undefined ? <OneJob report={a} query={query} /> : <TwoJobs {...{ a, b, query }} />)}
    </div>
  );
}

/** Which other job to compare with. */
function Against({ job_id, against }: { readonly job_id: string; readonly against: string }) {
  const { body } = useAnswer("jobs", (source, signal) => source.ask<JobsBody>("/v1/jobs", signal));
  const others = body?.jobs.filter((job) => job.job_id !== job_id) ?? [];
  return (
    <Choice
      name="Compare with"
      value={against}
      options={others.map((job) => [job.job_id, visible(job.job_id)])}
      none="no other job"
      onChoice={(chosen) => {
        location.hash = hrefOf("report", null, { job: job_id, against: chosen });
      }}
    />
  );
}

interface OneJobProps {
  readonly report: NamedReport;
  readonly query: URLSearchParams;
}

function OneJob({ report, query }: OneJobProps) {
  const isByTask = query.get("rows") !== "simulations";
  const { tasks, rollouts } = report;
  const columns = useMemo(() => taskColumns(report), [report]);
  return (
    <>
      <button
        type="button"
        aria-pressed={!isByTask}
        onClick={() => replacePlace(hrefWith({ rows: isByTask ? "simulations" : "" }))}
      >
        Each simulation
      </button>
      {isByTask ? (
        <SortedTable
          {...{ caption: "Tasks", columns, rows: tasks, query }}
          keyOf={({ task }) => task}
        />
      ) : (
        <SortedTable
          {...{ caption: "Simulations", columns: rolloutColumns, rows: rollouts, query }}
          keyOf={({ session_id }) => session_id}
        />
      )}
    </>
  );
}

interface TwoJobsProps {
  readonly a: NamedReport;
  readonly b: NamedReport;
  readonly query: URLSearchParams;
}

function TwoJobs({ a, b, query }: TwoJobsProps) {
  const { better, worse } = compareJobs(a, b);
  const isWorseOnly = query.get("only") === "worse";
  return (
    <>
      <button
        type="button"
        aria-pressed={isWorseOnly}
        onClick={() => replacePlace(hrefWith({ only: isWorseOnly ? "" : "worse" }))}
      >
        Only what got worse
      </button>
      <SortedTable
        {...{ caption: "Tasks that differ", columns: comparedColumns, query, sort: "difference" }}
        rows={isWorseOnly ? worse : [...worse, ...better]}
        keyOf={({ task }) => task}
      />
    </>
  );
}
