import type { StoredRow } from "@proj/session-store";
import type { Virtualizer } from "@tanstack/virtual-core";
import type { ComponentChildren, RefObject } from "preact";
import { reachable } from "../shell/reachable.ts";
import type { SessionRows } from "./rows.ts";
import { StepCard } from "./step-card.tsx";
import { nameOf } from "./step-name.ts";
import { toolNamesOf } from "./tool-names.ts";

interface StepListProps {
  /** Null until the session's path is known. */
  readonly rows: SessionRows | null;
  /** The rows to show: all of them, or one branch. */
  readonly shown: readonly StoredRow[];
  readonly list: Virtualizer<HTMLElement, HTMLElement>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** Position among the rows shown. */
  readonly current: number;
  readonly onInspect: (index: number) => void;
  /** What follows the last step. */
  readonly children: ComponentChildren;
}

const feed = { role: "feed", "aria-label": "Steps" } as const;
/** A feed must have articles. */
const emptyFeed = { role: "region", "aria-label": "Steps" } as const;

/** The steps of a session. Only the visible ones are in the document. */
export function StepList(props: StepListProps) {
  const { rows, shown, list, scroller, current, onInspect, children } = props;
  const rowOf = (id: number | null): StoredRow | null => rows?.all[rows.indexOf(id ?? 0)] ?? null;
  return (
    <div
      ref={scroller}
      class="steps"
      {...(shown.length === 0 ? emptyFeed : feed)}
      {...reachable}
      aria-busy={rows?.isComplete !== true}
    >
      <div class="all" style={{ height: `${list.getTotalSize()}px` }}>
        {list.getVirtualItems().map(({ index, start, key }) => {
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
                base={rowOf(row.messages_base)}
                previous={shown[index - 1] ?? null}
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
    row.messages_base === null ? "begins" : "",
    row.step_id < 0 ? "beside" : "",
  ].join(" ");
