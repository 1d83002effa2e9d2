import type { StoredRow } from "@proj/session-store";
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { reachable } from "../shell/reachable.ts";
import { useVirtual } from "../shell/use-virtual.ts";
import type { SessionRows } from "./rows.ts";
import { StepCard } from "./step-card.tsx";
import { factsOf } from "./step-facts.ts";
import { nameOf } from "./step-name.ts";
import { toolNamesOf } from "./tool-names.ts";
import { type Pin, usePinned } from "./use-pinned.ts";

/** What a view may ask of its list of steps. */
export interface StepListControl {
  /** Scrolls to a step and keeps it in view until somebody scrolls. */
  readonly pin: (pin: Pin) => void;
}

interface StepListProps {
  /** Null until the session's path is known. */
  readonly rows: SessionRows | null;
  /** The rows to show: all of them, or one branch. */
  readonly shown: readonly StoredRow[];
  /** Positions, among all rows, of retried attempts and of what retries them. */
  readonly retries: ReadonlyMap<number, number>;
  readonly control: RefObject<StepListControl | null>;
  /** Position among the rows shown. */
  readonly current: number;
  readonly onInspect: (index: number) => void;
  /** Called with the positions, among all rows, of those that are in the document. */
  readonly onShown: (positions: readonly number[]) => void;
  /** What follows the last step. */
  readonly children: ComponentChildren;
}

const feed = { role: "feed", "aria-label": "Steps" } as const;
/** A feed must have articles; it has none while the inspector covers it on a phone. */
const emptyFeed = { role: "region", "aria-label": "Steps" } as const;

const estimatedHeight = 180;

/** The steps of a session. Only the visible ones are in the document, and scrolling renders nothing else again. */
export function StepList(props: StepListProps) {
  const { rows, shown, retries, control, current, onInspect, onShown, children } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtual(scroller, shown.length, estimatedHeight);
  const pin = usePinned(scroller, list);
  useLayoutEffect(() => {
    control.current = { pin };
  });
  const items = list.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    onShown(shown.slice(first, last + 1).map(({ id }) => rows?.indexOf(id) ?? -1));
  }, [rows, first, last, shown]);
  return (
    <div
      ref={scroller}
      class="steps"
      {...(items.length === 0 ? emptyFeed : feed)}
      {...reachable}
      aria-busy={rows?.isComplete !== true}
    >
      <div class="all" style={{ height: `${list.getTotalSize()}px` }}>
        {items.map(({ index, start, key }) => {
          const row = shown[index];
          if (rows === null || row === undefined) return null;
          return (
            <article
              key={key}
              ref={list.measureElement}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={rows.isComplete ? shown.length : -1}
              aria-label={nameOf(row)}
              class={classOf(row, index === current)}
              style={{ transform: `translateY(${start}px)` }}
            >
              <StepCard
                row={row}
                whole={rows.whole(rows.indexOf(row.id))}
                base={rows.baseOf(row)}
                previous={shown[index - 1] ?? null}
                retry={rows.all[retries.get(rows.indexOf(row.id)) ?? -1] ?? null}
                tools={toolNamesOf(rows, row)}
                onInspect={() => onInspect(index)}
              />
            </article>
          );
        })}
      </div>
      {children}
    </div>
  );
}

const classOf = (row: StoredRow, isCurrent: boolean): string =>
  [
    "card",
    isCurrent ? "current" : "",
    row.status_code === 200 ? "" : "failed",
    row.messages_base === null && factsOf(row).continues === null ? "begins" : "",
    row.step_id < 0 ? "beside" : "",
  ].join(" ");
