import {
  type JobToolsBody,
  type ToolsBody,
  type ToolUse,
  totalTools,
} from "@proj/session-store/answers";
import { useMemo } from "preact/hooks";
import { readPages } from "../data/read-pages.ts";
import { type Source, sessionPath } from "../data/source.ts";
import { useViewAnswer } from "../data/use-answer.ts";
import { hrefOf, type ViewProps } from "../shell/location.ts";
import { SortedTable } from "../table/sorted-table.tsx";
import { Notice } from "../text/notice.tsx";
import { visible } from "../text/visible.ts";
import { toolColumns } from "./tool-columns.tsx";

interface ToolsViewProps extends ViewProps {
  /** Null: those of the job that the query names. */
  readonly session_id: string | null;
}

/** Which tools a job or a session called, which fail, and how long they take. */
export function ToolsView({ session_id, query }: ToolsViewProps) {
  const job_id = session_id === null ? (query.get("job") ?? "") : null;
  const { body, error } = useViewAnswer(`tools ${job_id} ${session_id}`, (source, signal) =>
    session_id === null
      ? readJobTools(source, job_id ?? "", signal)
      : readSessionTools(source, session_id, signal),
  );
  const columns = useMemo(() => toolColumns(job_id), [job_id]);
  return (
    <div class="page">
      <h2>
        Tools of{" "}
        <a href={job_id === null ? hrefOf("sessions", session_id) : hrefOf("jobs", job_id)}>
          {visible(job_id ?? session_id ?? "")}
        </a>
      </h2>
      <Notice error={error} />
      {body === null && error === null && <p class="empty">Counting calls …</p>}
      {body !== null && (
        <>
          <p class="quiet">
            A call failed if its result is marked as an error, which only Anthropic's and Google's
            APIs can do. Times are from the answer with the call until the request with its result.
          </p>
          <SortedTable
            {...{ caption: "Tools", columns, rows: body, query, sort: "-failed" }}
            keyOf={({ name }) => name}
          />
        </>
      )}
    </div>
  );
}

/** The most used first. */
const sorted = (tools: readonly ToolUse[]): readonly ToolUse[] =>
  tools.toSorted((one, other) => other.calls - one.calls);

async function readSessionTools(source: Source, session_id: string, signal: AbortSignal) {
  const path = sessionPath(await source.sessionsPath(), session_id);
  return sorted((await source.ask<ToolsBody>(`${path}/tools`, signal)).tools);
}

async function readJobTools(source: Source, job_id: string, signal: AbortSignal) {
  const pages = await readPages<JobToolsBody>(source, job_id, "tools", signal);
  return sorted(totalTools(pages.map(({ tools }) => tools)));
}
