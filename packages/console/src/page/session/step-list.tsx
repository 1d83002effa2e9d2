import type { StoredRow } from "@proj/session-store";
import type { Virtualizer } from "@tanstack/virtual-core";
import type { ComponentChildren, RefObject } from "preact";
import { reachable } from "../shell/reachable.ts";
import type { SessionRows } from "./rows.ts";
import { StepCard } from "./step-card.tsx";
import { nameOf } from "./step-name.ts";
import { toolNamesOf } from "./tool-names.ts";

interface StepListProps {
  /** Null: the session's path is not known yet. */
  readonly rows: SessionRows | null;
  /** Those that are shown, all of them or a branch. */
  readonly shown: readonly StoredRow[];
  readonly list: Virtualizer<HTMLElement, HTMLElement>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** Position among those shown. */
  readonly current: number;
  readonly onInspect: (index: number) => void;
  /** What comes below all steps. */
  readonly children: ComponentChildren;
}

/** The steps of a session, of which only those that are seen are in the document. */
export function StepList(props: StepListProps) {
  const { rows, shown, list, scroller, current, onInspect, children } = props;
  const rowOf = (id: number | null): StoredRow | null => rows?.all[rows.indexOf(id ?? 0)] ?? null;
  return (
    <div
      ref={scroller}
      class="steps"
      role="feed"
      aria-busy={rows?.isComplete !== true}
      {...reachable}
      aria-label="Steps"
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
