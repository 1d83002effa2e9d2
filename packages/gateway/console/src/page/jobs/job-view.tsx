import { useMemo, useRef, useState } from "preact/hooks";
import { maxRollouts } from "../compare/compare-place.ts";
import { useViewAnswer } from "../data/use-answer.ts";
import { useKeys } from "../shell/keys.ts";
import { hrefWith, replacePlace, type ViewProps } from "../shell/location.ts";
import { Choice } from "../table/choice.tsx";
import { FilterField } from "../table/filter-field.tsx";
import { Notice } from "../text/notice.tsx";
import { ChoiceBar } from "./choice-bar.tsx";
import { Causes, Distribution } from "./job-charts.tsx";
import { groupsOf, newestAttempts, rangeOf, rewardsOf } from "./job-figures.ts";
import { groupOrders, JobGrid } from "./job-grid.tsx";
import { JobHead } from "./job-head.tsx";
import { type Measure, measures } from "./measures.ts";
import { type JobBody, readJob } from "./read-job.ts";
import { simulationFilter } from "./simulation-filter.ts";
import { SimulationTable } from "./simulation-table.tsx";
import { useUsage } from "./use-usage.ts";
import "./jobs.css";

interface JobViewProps extends ViewProps {
  readonly job_id: string;
}

const refreshMs = 5_000;
/** It may be continued, or evaluated again. */
const refreshOverMs = 30_000;

const isOver = ({ job }: JobBody): boolean => job.pending + job.running === 0;

/** A job: each simulation is a cell, coloured by its reward, and each group a row; or all of them in a table. */
export function JobView({ job_id, query }: JobViewProps) {
  const { body, error } = useViewAnswer(
    job_id,
    (source, signal) => readJob(source, job_id, signal),
    (read) => (isOver(read) ? refreshOverMs : refreshMs),
  );
  if (body !== null) return <Job body={body} query={query} />;
  return (
    <div class="page">
      {error === null ? <p class="empty">Loading the job …</p> : <Notice error={error} />}
    </div>
  );
}

function Job({ body, query }: { readonly body: JobBody; readonly query: URLSearchParams }) {
  const { job, attempts } = body;
  const [measure, setMeasure] = useState<Measure>("reward");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isChoosing, setChoosing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const choose = (session_id: string | null): void => {
    if (session_id === null) return;
    const next = new Set(chosen);
    if (!next.delete(session_id) && next.size < maxRollouts) next.add(session_id);
    setChosen(next);
  };
  useKeys({
    "/": () => field.current?.focus(),
    Escape: () => field.current?.blur(),
    x: () => choose(document.activeElement?.getAttribute("data-session") ?? null),
  });
  const usage = useUsage(job.job_id, isOver(body));
  const { simulations, rewards, uniform } = useMemo(() => figuresOf(body), [body]);
  const [isTable, typed] = [query.get("show") === "table", query.get("find") ?? ""];
  const isEveryAttempt = query.get("attempts") === "all";
  const isShown = useMemo(() => simulationFilter(typed), [typed]);
  const listed = useMemo(
    () => (isEveryAttempt ? attempts : simulations).filter(isShown),
    [body, isEveryAttempt, isShown],
  );
  const [order] = groupOrders.find(([name]) => name === query.get("order")) ?? groupOrders[0];
  const go = (changed: Record<string, string>): void => replacePlace(hrefWith(changed));
  return (
    <div class="page">
      <JobHead {...{ job, simulations, rewards, uniform, usage }} />
      <div class="figures">
        <Distribution rewards={rewards} range={rangeOf(rewards)} />
        <Causes attempts={attempts} />
      </div>
      <h3>Simulations</h3>
      <FilterField
        {...{ field, typed }}
        name="Filter simulations"
        placeholder="status:failed  cause:time_out  reward<1  group:ID  or any words"
        onTyped={(find) => go({ find })}
      />
      <div class="tools">
        <button
          type="button"
          aria-pressed={isTable}
          onClick={() => go({ show: isTable ? "" : "table", attempts: "" })}
        >
          Table
        </button>
        {isTable ? (
          <button
            type="button"
            aria-pressed={isEveryAttempt}
            onClick={() => go({ attempts: isEveryAttempt ? "" : "all" })}
          >
            Every attempt
          </button>
        ) : (
          <>
            <Choice
              name="Show"
              options={measures.map((each) => [each, each])}
              value={measure}
              onChoice={setMeasure}
            />
            <Choice
              name="Sort by"
              options={groupOrders}
              value={order}
              onChoice={(order) => go({ order: order === "name" ? "" : order })}
            />
            <ChoiceBar
              {...{ chosen, isChoosing }}
              onClear={() => setChosen(new Set())}
              onChoosing={setChoosing}
            />
          </>
        )}
      </div>
      {isTable ? (
        <SimulationTable {...{ job_id: job.job_id, attempts: listed, usage, query }} />
      ) : (
        <JobGrid
          {...{ simulations, isShown, chosen, measure, usage, order }}
          onChoose={isChoosing ? choose : null}
        />
      )}
    </div>
  );
}

function figuresOf({ attempts }: JobBody) {
  const simulations = newestAttempts(attempts);
  const uniform = groupsOf(simulations).filter(({ isUniform }) => isUniform).length;
  return { simulations, rewards: rewardsOf(simulations), uniform };
}
