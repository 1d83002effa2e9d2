import type { StoredRow } from "@proj/session-store";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { SummaryBody } from "../../answers/browse.ts";
import { sessionPath } from "../data/source.ts";
import { useAnswer, useSource } from "../data/use-answer.ts";
import { useKeys } from "../shell/keys.ts";
import { hrefOf, replacePlace } from "../shell/location.ts";
import { reachable } from "../shell/reachable.ts";
import { useVirtual } from "../shell/use-virtual.ts";
import { count, plural } from "../text/format.ts";
import { visible } from "../text/visible.ts";
import { Inspector } from "./inspector.tsx";
import { OpenContext } from "./parts.tsx";
import { SessionRows } from "./rows.ts";
import { RunningCalls } from "./running-calls.tsx";
import { SessionHead } from "./session-head.tsx";
import { nameOf, StepCard } from "./step-card.tsx";
import { toolNamesOf } from "./tool-names.ts";
import { useLive } from "./use-live.ts";
import { usePinned } from "./use-pinned.ts";

interface SessionViewProps {
  readonly session_id: string;
  readonly query: URLSearchParams;
  readonly onError: (error: Error) => void;
}

const estimatedHeight = 180;

/** A session as a conversation: of each step what is new in it. */
export function SessionView({ session_id, query, onError }: SessionViewProps) {
  const source = useSource();
  const base = useAnswer("base", async (source) => source.sessionsPath()).body;
  const path = base === null ? null : sessionPath(base, session_id);
  const [, redraw] = useState(0);
  const [error, setError] = useState<Error | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [inspected, setInspected] = useState<number | null>(null);
  const [current, setCurrent] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(
    () =>
      path === null ? null : new SessionRows(source, path, () => redraw((drawn) => drawn + 1)),
    [source, path],
  );
  const summary = useAnswer(`summary ${path}`, async (source, signal) =>
    path === null ? null : source.ask<SummaryBody>(`${path}/summary`, signal),
  );
  const stop = useMemo(() => new AbortController(), []);
  useEffect(() => () => stop.abort(), []);
  const failed = (error: unknown): void => {
    if (stop.signal.aborted || !(error instanceof Error)) return;
    setError(error);
    onError(error);
  };
  useEffect(() => void rows?.readOn(stop.signal).catch(failed), [rows]);
  const live = useLive(
    path,
    () => void rows?.readOn(stop.signal).catch(failed),
    (added) => {
      rows?.add(added);
      redraw((drawn) => drawn + 1);
    },
  );

  const all = rows?.all ?? [];
  const list = useVirtual(scroller, all.length, estimatedHeight);
  const shown = list.getVirtualItems();
  const first = shown[0]?.index;
  const last = shown.at(-1)?.index;
  useEffect(() => {
    if (rows === null || first === undefined || last === undefined) return;
    for (let index = first; index <= last; index += 1)
      if (rows.whole(index) === null) void rows.read(index, stop.signal).catch(failed);
  }, [rows, first, last, all.length]);

  const pin = usePinned(scroller, list);
  const goTo = (index: number): void => {
    const row = all[index];
    if (row === undefined) return;
    setCurrent(index);
    if (inspected !== null) setInspected(index);
    pin(index === all.length - 1 ? "latest" : index);
    replacePlace(hrefOf("sessions", session_id, { step: String(row.id) }));
  };
  const wanted = useRef(Number(query.get("step") ?? 0));
  useEffect(() => {
    const index = rows?.indexOf(wanted.current) ?? -1;
    if (index < 0) return;
    wanted.current = 0;
    setCurrent(index);
    pin(index);
  }, [all.length]);
  const inspect = (index: number | null): void => {
    setInspected(index);
    if (index !== null) setCurrent(index);
  };
  useKeys({
    j: () => goTo(Math.min(current + 1, all.length - 1)),
    k: () => goTo(Math.max(current - 1, 0)),
    n: () => goTo(nextError(all, current)),
    g: () => goTo(all.length - 1),
    e: () => setOpen(!isOpen),
    Enter: () => inspect(current),
    Escape: () => inspect(null),
  });
  const inspectedRow = inspected === null ? undefined : all[inspected];
  const errors = all.filter(({ status_code }) => status_code !== 200).length;
  return (
    <OpenContext.Provider value={isOpen}>
      <div class={inspectedRow === undefined ? "session" : "session with-inspector"}>
        <div class="conversation">
          <SessionHead session_id={session_id} summary={summary.body} live={live.status} />
          <p class="tools">
            <span class="quiet">
              {plural(all.length, "call")}
              {rows?.isComplete === false && " so far …"}
            </span>
            {errors > 0 && (
              <button type="button" onClick={() => goTo(nextError(all, current))}>
                {plural(errors, "error")}, go to the next
              </button>
            )}
            <button type="button" aria-pressed={isOpen} onClick={() => setOpen(!isOpen)}>
              Open everything
            </button>
            <button type="button" onClick={() => goTo(all.length - 1)}>
              Latest
            </button>
          </p>
          {error !== null && (
            <p class="notice" role="alert">
              {error.message}
            </p>
          )}
          {rows?.isComplete === true && all.length === 0 && (
            <p class="empty">Nothing is recorded of '{visible(session_id)}'.</p>
          )}
          <div
            ref={scroller}
            class="steps"
            role="feed"
            aria-busy={rows?.isComplete !== true}
            {...reachable}
            aria-label="Steps"
          >
            <div class="all" style={{ height: `${list.getTotalSize()}px` }}>
              {shown.map(({ index, start, key }) => {
                const row = all[index];
                if (rows === null || row === undefined) return null;
                return (
                  <article
                    key={key}
                    ref={list.measureElement}
                    data-index={index}
                    aria-posinset={index + 1}
                    aria-setsize={rows.isComplete ? all.length : -1}
                    aria-label={nameOf(row)}
                    class={classOf(row, index === current)}
                    style={{ transform: `translateY(${start}px)` }}
                  >
                    <StepCard
                      row={row}
                      whole={rows.whole(index)}
                      base={all[rows.indexOf(row.messages_base ?? 0)] ?? null}
                      previous={all[index - 1] ?? null}
                      tools={toolNamesOf(rows, row)}
                      onInspect={() => inspect(index)}
                    />
                  </article>
                );
              })}
            </div>
            <RunningCalls calls={live.running} />
          </div>
        </div>
        {path !== null && inspected !== null && inspectedRow !== undefined && (
          <Inspector
            key={inspectedRow.id}
            path={path}
            row={inspectedRow}
            onClose={() => inspect(null)}
          />
        )}
      </div>
      <p class="hidden" aria-live="polite">
        {live.running.length > 0 && `${count(live.running.length)} running`}
      </p>
    </OpenContext.Provider>
  );
}

const classOf = (row: StoredRow, isCurrent: boolean): string =>
  [
    "card",
    isCurrent ? "current" : "",
    row.status_code === 200 ? "" : "failed",
    row.messages_base === null ? "begins" : "",
    row.step_id < 0 ? "beside" : "",
  ].join(" ");

/** The first behind this one, or the first of all. */
function nextError(rows: readonly StoredRow[], current: number): number {
  const isFailed = ({ status_code }: StoredRow): boolean => status_code !== 200;
  const next = rows.findIndex((row, index) => index > current && isFailed(row));
  return next < 0 ? rows.findIndex(isFailed) : next;
}
