import { compareJobs } from "@proj/launcher-client/statistics";
import type { JobsBody } from "@proj/session-store/answers";
import { dollars } from "../../quantities/dollars.ts";
import { useAnswer } from "../data/use-answer.ts";
import { hrefOf, hrefWith, replacePlace } from "../shell/location.ts";
import { SortedTable } from "../table/sorted-table.tsx";
import { count, plural, reward } from "../text/format.ts";
import { Notice } from "../text/notice.tsx";
import { visible } from "../text/visible.ts";
import { comparedColumns, known, rolloutColumns, taskColumns } from "./report-columns.tsx";
import { type NamedReport, useReports } from "./use-report.ts";

interface ReportViewProps {
  readonly query: URLSearchParams;
  readonly onError: (error: Error) => void;
}

/** The numbers of a job, `job`, or those of `against` and `job` compared. */
export function ReportView({ query, onError }: ReportViewProps) {
  const [job_id = "", against = ""] = [query.get("job") ?? "", query.get("against") ?? ""];
  const job_ids = [against, job_id].filter((id) => id !== "");
  const { reports, error } = useReports(job_ids, onError);
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
      <dl class="terms">
        {reports.flatMap((report) => overAll(report, b !== undefined)).map(term)}
        {a !== undefined && b !== undefined && pairedTerms(a, b).map(term)}
      </dl>
      {a !== undefined &&
        (b === undefined ? <OneJob report={a} query={query} /> : <TwoJobs {...{ a, b, query }} />)}
    </div>
  );
}

type Term = readonly [string, string];

const term = ([name, value]: Term) => (
  <div key={name}>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

const between = (bounds: NamedReport["interval"]): string =>
  bounds === null ? "–" : `${reward(bounds.low)} to ${reward(bounds.high)}`;
function overAll(report: NamedReport, isCompared: boolean): readonly Term[] {
  const of = isCompared ? ` of ${visible(report.job_id)}` : "";
  const { n, mean, error, interval, failed, infrastructure, passes } = report;
  const bounds = `${known(mean)} (${between(interval)}, standard error ${known(error)})`;
  const failures = `${count(failed)}, by the infrastructure ${count(infrastructure)}`;
  const rates = passes.flatMap(({ k, pass_at_k, pass_hat_k }): Term[] => [
    [`pass@${k}${of}`, known(pass_at_k)],
    [`pass^${k}${of}`, known(pass_hat_k)],
  ]);
  return [
    [`mean${of}`, `${bounds} over ${plural(n, "rollout")}`],
    ...(isCompared ? [] : rates),
    [`failed${of}`, failures],
    [`cost${of}`, dollars(report.cost_nano_usd)],
  ];
}

function pairedTerms(a: NamedReport, b: NamedReport): readonly Term[] {
  const { difference, interval, p, detectable, tasks, better, worse, equal, only_a, only_b } =
    compareJobs(a, b);
  return [
    ["difference", `${known(difference)} (${between(interval)}), p ${known(p)}`],
    ["smallest difference found 4 times in 5", known(detectable)],
    [
      "tasks in both",
      `${count(tasks)}: ${better.length} better, ${worse.length} worse, ${equal} equal`,
    ],
    ["not compared", `${only_a.length + only_b.length}`],
  ];
}

/** Which other job to compare with. */
function Against({ job_id, against }: { readonly job_id: string; readonly against: string }) {
  const { body } = useAnswer("jobs", (source, signal) => source.ask<JobsBody>("/v1/jobs", signal));
  return (
    <label class="tools">
      Compare with
      <select
        value={against}
        onChange={({ currentTarget: { value } }) => {
          location.hash = hrefOf("report", null, { job: job_id, against: value });
        }}
      >
        <option value="">no other job</option>
        {body?.jobs.map(
          (job) =>
            job.job_id !== job_id && (
              <option key={job.job_id} value={job.job_id} selected={job.job_id === against}>
                {visible(job.job_id)}
              </option>
            ),
        )}
      </select>
    </label>
  );
}

interface OneJobProps {
  readonly report: NamedReport;
  readonly query: URLSearchParams;
}

function OneJob({ report, query }: OneJobProps) {
  const isByTask = query.get("rows") !== "simulations";
  const { tasks, rollouts } = report;
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
          {...{ caption: "Tasks", columns: taskColumns, rows: tasks, query }}
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
