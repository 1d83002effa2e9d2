import type { Simulation } from "@proj/session-store/answers";
import { useMemo, useRef } from "preact/hooks";
import { useKeys } from "../shell/keys.ts";
import { useGrowing } from "../table/use-growing.ts";
import { GroupRow, type GroupRowProps } from "./group-row.tsx";
import { type Group, groupsOf, rangeOf, rewardsOf } from "./job-figures.ts";

/** How groups can be sorted. */
export const groupOrders = [
  ["name", "name"],
  ["mean", "mean, lowest first"],
  ["spread", "spread, widest first"],
  ["failures", "failures, most first"],
] as const;

export type GroupOrder = (typeof groupOrders)[number][0];

interface JobGridProps extends Omit<GroupRowProps, "group" | "range"> {
  /** The newest attempt of each. */
  readonly simulations: readonly Simulation[];
  readonly isShown: (simulation: Simulation) => boolean;
  readonly order: GroupOrder;
}

/** How many cells are put into the document at a time. */
const step = 400;

/** Each group is a row of cells; of a large job, as many as somebody scrolls to. */
export function JobGrid({ simulations, isShown, order, ...cells }: JobGridProps) {
  const range = useMemo(() => rangeOf(rewardsOf(simulations)), [simulations]);
  const groups = useMemo(
    () => sortedBy(order, groupsOf(simulations)).filter((group) => group.simulations.some(isShown)),
    [simulations, order, isShown],
  );
  const members = groups.reduce((most, group) => Math.max(most, group.simulations.length), 1);
  const { shown, end, move } = useGrowing(groups.length, Math.ceil(step / members));
  const grid = useRef<HTMLDivElement>(null);
  useKeys({
    j: () => move(grid.current, "a.cell", 1),
    k: () => move(grid.current, "a.cell", -1),
    n: () => move(grid.current, "a.cell.failed", 1),
  });
  return (
    <>
      <div ref={grid} class="grid" style={{ "--members": members }}>
        {groups.slice(0, shown).map((group) => (
          <GroupRow key={group.group_id ?? ""} {...{ ...cells, group, range, isShown }} />
        ))}
      </div>
      <div ref={end} />
      {groups.length === 0 && <p class="empty">No simulation matches.</p>}
    </>
  );
}

function sortedBy(order: GroupOrder, groups: readonly Group[]): readonly Group[] {
  if (order === "name") return groups;
  const by = (group: Group): number => {
    if (order === "mean") return group.mean ?? Infinity;
    return order === "spread" ? -(group.spread ?? -1) : -group.failures;
  };
  return groups.toSorted((one, other) => by(one) - by(other));
}
