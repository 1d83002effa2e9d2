import type { Neighbour, StoredRow } from "@proj/session-store";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { SessionActions } from "../actions/session-actions.tsx";
import { sessionPath } from "../data/source.ts";
import { useAnswer, useSource } from "../data/use-answer.ts";
import { useKeys } from "../shell/keys.ts";
import { hrefOf, replacePlace, type ViewProps } from "../shell/location.ts";
import { count, plural } from "../text/format.ts";
import { Notice } from "../text/notice.tsx";
import { RawContext } from "../text/rendered.tsx";
import { rolloutName } from "../text/rollout-name.ts";
import { visible } from "../text/visible.ts";
import { AgentEvents } from "./agent-events.tsx";
import { Inspector } from "./inspector.tsx";
import { OpenContext } from "./parts.tsx";
import { SessionPathContext } from "./rewritten.tsx";
import { usageOf } from "./row-usage.ts";
import { RunningCalls } from "./running-calls.tsx";
import { SessionHead } from "./session-head.tsx";
import { StepList, type StepListControl } from "./step-list.tsx";
import { lineOf, titleOf, withChildren } from "./tree/branch.ts";
import { growBranches } from "./tree/grow-branches.ts";
import { retriesOf } from "./tree/histories.ts";
import { SessionTree } from "./tree/session-tree.tsx";
import { useRows } from "./use-rows.ts";
import { useSummary } from "./use-summary.ts";
import "./session.css";

interface SessionViewProps extends ViewProps {
  readonly session_id: string;
}

const noRows: readonly StoredRow[] = [];

/** A session as a conversation: each step with what is new in it. */
export function SessionView({ session_id, query }: SessionViewProps) {
  const source = useSource();
  const base = useAnswer("base", async (source) => source.sessionsPath()).body;
  const path = base === null ? null : sessionPath(base, session_id);
  const { rows, live, error, readPayload } = useRows(path);
  const [isOpen, setOpen] = useState(false);
  const [isRaw, setRaw] = useState(false);
  const [hasTree, setTree] = useState<boolean | null>(null);
  /** Counts the actions on the session: each may change its summary. */
  const [done, setDone] = useState(0);
  const [inspected, setInspected] = useState<number | null>(null);
  const [current, setCurrent] = useState(0);
  const list = useRef<StepListControl>(null);
  const all = rows?.all ?? noRows;
  const isRead = all.length > 0 || rows?.isComplete === true;
  const hasRows = isRead ? all.length > 0 : null;
  const summary = useSummary({ session_id, base, hasRows, done });
  const environment = summary?.environment ?? null;
  useEffect(() => {
    if (environment !== null) document.title = `${rolloutName(environment)} · Console`;
  }, [environment?.session_id]);
  const used = useMemo(() => usageOf(all), [all]);
  const branches = useMemo(() => growBranches(all), [all]);
  const retries = useMemo(() => retriesOf(all), [all]);
  const everyBranch = useMemo(() => withChildren(branches), [branches]);
  const chosen = everyBranch.find(({ id }) => id === query.get("branch")) ?? null;
  const branch = chosen?.id ?? "";
  const shown = useMemo(
    () => (chosen === null ? all : lineOf(chosen).flatMap((call) => all[call] ?? [])),
    [all, chosen],
  );
  const goTo = (index: number): void => {
    const row = shown[index];
    if (row === undefined) return;
    setCurrent(index);
    if (inspected !== null) setInspected(row.id);
    list.current?.pin(index === shown.length - 1 ? "latest" : index);
    replacePlace(hrefOf("sessions", session_id, { branch, step: String(row.id) }));
  };
  const wanted = useRef(Number(query.get("step") ?? 0));
  useEffect(() => {
    const index = shown.findIndex(({ id }) => id === wanted.current);
    if (index < 0) return;
    wanted.current = 0;
    setCurrent(index);
    list.current?.pin(index);
  }, [shown.length]);
  const isAnotherBranch = useRef(false);
  useEffect(() => {
    if (isAnotherBranch.current) {
      setCurrent(0);
      list.current?.pin(0);
    }
    isAnotherBranch.current = true;
  }, [branch]);
  const inspect = (index: number | null): void => {
    setInspected(index === null ? null : (shown[index]?.id ?? null));
    if (index !== null) setCurrent(index);
  };
  // It changes with the rows, not with their payloads, which arrive while somebody scrolls.
  const tree = useMemo(
    () => <SessionTree session_id={session_id} rows={all} branches={branches} chosen={chosen} />,
    [all, branches, chosen],
  );
  const isTreeShown = everyBranch.length > 1 && (hasTree ?? innerWidth >= 1100);
  const toggleTree = (): void => setTree(!isTreeShown);
  const goBeside = (to: Neighbour | null | undefined): void => {
    if (to != null) location.hash = hrefOf("sessions", to.session_id);
  };
  useKeys({
    j: () => goTo(Math.min(current + 1, shown.length - 1)),
    k: () => goTo(Math.max(current - 1, 0)),
    n: () => goTo(nextError(shown, current)),
    g: () => goTo(shown.length - 1),
    e: () => setOpen(!isOpen),
    t: toggleTree,
    r: () => setRaw(!isRaw),
    h: () => goBeside(summary?.neighbours?.previous),
    l: () => goBeside(summary?.neighbours?.next),
    Enter: () => inspect(current),
    Escape: () => inspect(null),
  });
  const inspectedRow = inspected === null ? undefined : all[rows?.indexOf(inspected) ?? -1];
  const errors = shown.filter(({ status_code }) => status_code !== 200).length;
  const classes = [
    "session",
    isTreeShown ? "with-tree" : "",
    inspectedRow === undefined ? "" : "with-inspector",
  ];
  return (
    <SessionPathContext.Provider value={path}>
      <OpenContext.Provider value={isOpen}>
        <div class={classes.join(" ")}>
          {isTreeShown && tree}
          <div class="conversation">
            <SessionHead session_id={session_id} summary={summary} live={live.status} used={used} />
            <p class="tools">
              {everyBranch.length > 1 && (
                <button type="button" aria-pressed={isTreeShown} onClick={toggleTree}>
                  {plural(everyBranch.length, "branch", "branches")}
                </button>
              )}
              <span class="quiet">
                {chosen !== null && `${titleOf(chosen)}: `}
                {plural(shown.length, "call")}
                {rows?.isComplete === false && " so far …"}
              </span>
              {errors > 0 && (
                <button
                  type="button"
                  class="bad"
                  title="Go to the next one (n)"
                  onClick={() => goTo(nextError(shown, current))}
                >
                  {plural(errors, "error")}
                </button>
              )}
              {shown.length > 0 && (
                <>
                  <button type="button" aria-pressed={isOpen} onClick={() => setOpen(!isOpen)}>
                    Open all
                  </button>
                  <button
                    type="button"
                    aria-pressed={isRaw}
                    title="Texts exactly as they were written (r)"
                    onClick={() => setRaw(!isRaw)}
                  >
                    Raw
                  </button>
                  <button type="button" onClick={() => goTo(shown.length - 1)}>
                    Latest
                  </button>
                  {source.isLive && <a href={hrefOf("tokens", session_id)}>Tokens</a>}
                  <a href={hrefOf("tools", session_id)}>Tools</a>
                </>
              )}
              <SessionActions
                session_id={session_id}
                step={shown[current] ?? null}
                onDone={() => setDone(done + 1)}
              />
            </p>
            <Notice error={error} />
            <AgentEvents result={environment?.result ?? null} />
            {rows?.isComplete === true && all.length === 0 && live.running.length === 0 && (
              <p class="empty">
                {environment === null
                  ? `Nothing is recorded for '${visible(session_id)}'.`
                  : "It has made no call."}
              </p>
            )}
            <RawContext.Provider value={isRaw}>
              <StepList
                {...{ rows, shown, retries, current }}
                control={list}
                onInspect={inspect}
                onShown={(positions) => {
                  for (const position of positions) readPayload(position);
                }}
              >
                <RunningCalls calls={live.running} />
              </StepList>
            </RawContext.Provider>
          </div>
          {path !== null && inspectedRow !== undefined && (
            <Inspector path={path} row={inspectedRow} onClose={() => inspect(null)} />
          )}
        </div>
        <p class="hidden" aria-live="polite">
          {live.running.length > 0 && `${count(live.running.length)} running`}
        </p>
      </OpenContext.Provider>
    </SessionPathContext.Provider>
  );
}

/** The next error after this row, or the first of all. */
function nextError(rows: readonly StoredRow[], current: number): number {
  const isFailed = ({ status_code }: StoredRow): boolean => status_code !== 200;
  const next = rows.findIndex((row, index) => index > current && isFailed(row));
  return next < 0 ? rows.findIndex(isFailed) : next;
}
