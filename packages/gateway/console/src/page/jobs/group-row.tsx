import type { Simulation } from "@proj/session-store/answers";
import { compareHref, maxRollouts } from "../compare/compare-place.ts";
import { hrefOf } from "../shell/location.ts";
import { reward } from "../text/format.ts";
import { visible } from "../text/visible.ts";
import { type Group, type Range, shadeOf } from "./job-figures.ts";
import { type Measure, measured, type UsageBySession } from "./measures.ts";

export interface GroupRowProps {
  readonly group: Group;
  /** Whether a simulation has what was looked for; the others of its group are pale. */
  readonly isShown: (simulation: Simulation) => boolean;
  /** Of the rewards of the whole job. */
  readonly range: Range;
  /** Sessions that are chosen for a comparison. */
  readonly chosen: ReadonlySet<string>;
  /** What the cells show. */
  readonly measure: Measure;
  readonly usage: UsageBySession | null;
  /** What a click on a simulation does; null: it opens the simulation. */
  readonly onChoose: ((session_id: string) => void) | null;
}

export function GroupRow({ group, isShown, chosen, ...cells }: GroupRowProps) {
  const { group_id, simulations, isUniform, mean, spread } = group;
  return (
    <section
      class={isUniform ? "group uniform" : "group"}
      aria-label={group_id === null ? "Without a group" : visible(group_id)}
    >
      {group_id !== null && (
        <p>
          {visible(group_id)}{" "}
          <span class="quiet">
            {mean !== null && `mean ${reward(mean)}`}
            {spread !== null && spread > 0 && ` ± ${reward(spread)}`}
            {isUniform && <span class="bad">, no variance</span>}
          </span>{" "}
          {simulations.length > 1 && (
            <a
              href={compareHref(
                simulations.slice(0, maxRollouts).map(({ session_id }) => session_id),
              )}
            >
              side by side
            </a>
          )}
        </p>
      )}
      <div class="cells">
        {simulations.map((simulation) => (
          <Cell
            key={simulation.simulation_id}
            {...{ ...cells, simulation }}
            isShown={isShown(simulation)}
            isChosen={chosen.has(simulation.session_id)}
          />
        ))}
      </div>
    </section>
  );
}

interface CellProps extends Pick<GroupRowProps, "range" | "measure" | "usage" | "onChoose"> {
  readonly simulation: Simulation;
  readonly isShown: boolean;
  readonly isChosen: boolean;
}

function Cell({ simulation, isShown, isChosen, ...props }: CellProps) {
  const { range, measure, usage, onChoose } = props;
  const { session_id, simulation_id, status, attempt } = simulation;
  const shade = simulation.reward === null ? status : `shade-${shadeOf(simulation.reward, range)}`;
  const said = simulation.reward === null ? status : `reward ${reward(simulation.reward)}`;
  const value = measured(measure, simulation, usage);
  const told = measure === "reward" || value === null ? "" : `, ${measure} ${value}`;
  const label = `${visible(simulation_id)}, ${said}${told}${attempt > 1 ? `, attempt ${attempt}` : ""}${isChosen ? ", chosen" : ""}`;
  return (
    <a
      class={`cell ${shade}${isChosen ? " chosen" : ""}${isShown ? "" : " pale"}`}
      data-session={session_id}
      href={hrefOf("sessions", session_id)}
      onClick={(event) => {
        if (onChoose === null) return;
        event.preventDefault();
        onChoose(session_id);
      }}
      aria-label={label}
      title={
        simulation.error === null ? label : `${label}: ${visible(simulation.error).slice(0, 200)}`
      }
    >
      {value ?? signs[status]}
    </a>
  );
}

const signs: Readonly<Record<Simulation["status"], string>> = {
  pending: "·",
  running: "…",
  finished: "–",
  failed: "✕",
  infrastructure: "⚠",
  interrupted: "!",
};
