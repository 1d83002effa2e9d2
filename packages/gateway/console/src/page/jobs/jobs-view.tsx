import type { JobsBody } from "@proj/session-store/answers";
import { useEffect, useRef } from "preact/hooks";
import { useAnswer } from "../data/use-answer.ts";
import { useKeys } from "../shell/keys.ts";
import { hrefOf } from "../shell/location.ts";
import { moveAmong } from "../shell/move-among.ts";
import { ago, clock, count, reward } from "../text/format.ts";
import { Notice } from "../text/notice.tsx";
import { visible } from "../text/visible.ts";

const refreshMs = 5_000;

/** All jobs, the newest first. */
export function JobsView({ onError }: { readonly onError: (error: Error) => void }) {
  const { body, error } = useAnswer(
    "jobs",
    (source, signal) => source.ask<JobsBody>("/v1/jobs", signal),
    refreshMs,
  );
  useEffect(() => {
    if (error !== null) onError(error);
  }, [error]);
  const table = useRef<HTMLTableElement>(null);
  useKeys({
    j: () => moveAmong(table.current, "a.entry", 1),
    k: () => moveAmong(table.current, "a.entry", -1),
  });
  return (
    <div class="page">
      <Notice error={error} />
      {body?.jobs.length === 0 && (
        <p class="empty">
          There are no jobs yet. <code>launcher run</code> starts one; in a clone,{" "}
          <code>npm run demo</code>.
        </p>
      )}
      {body !== null && body.jobs.length > 0 && (
        <table ref={table} class="list jobs">
          <caption class="hidden">Jobs, the newest first</caption>
          <thead>
            <tr>
              <th scope="col">Job</th>
              <th scope="col">Progress</th>
              <th scope="col" class="number">
                Simulations
              </th>
              <th scope="col" class="number">
                Failed
              </th>
              <th scope="col" class="number">
                Mean reward
              </th>
              <th scope="col">Started</th>
            </tr>
          </thead>
          <tbody>
            {body.jobs.map((job) => (
              <tr key={job.job_id}>
                <td>
                  <a class="entry" href={hrefOf("jobs", job.job_id)}>
                    {visible(job.job_id)}
                  </a>
                </td>
                <td>
                  <progress
                    aria-label="Simulations that have ended"
                    value={job.finished + job.failed}
                    max={job.simulations}
                  />{" "}
                  {job.running > 0 && <span class="state busy">{count(job.running)} running</span>}
                </td>
                <td class="number" data-name="simulations">
                  {count(job.simulations)}
                </td>
                <td class={job.failed > 0 ? "number bad" : "number"} data-name="failed">
                  {count(job.failed)}
                </td>
                <td class="number" data-name="mean reward">
                  {job.mean_reward === null ? "–" : reward(job.mean_reward)}
                </td>
                <td>
                  <time datetime={job.created_at} title={clock(job.created_at)}>
                    {ago(job.created_at)}
                  </time>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {body === null && error === null && <p class="empty">Loading jobs …</p>}
    </div>
  );
}
