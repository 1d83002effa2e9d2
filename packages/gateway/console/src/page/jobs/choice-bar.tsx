import { compareHref, maxRollouts } from "../compare/compare-place.ts";
import { plural } from "../text/format.ts";

interface ChoiceBarProps {
  /** Sessions of the chosen simulations. */
  readonly chosen: ReadonlySet<string>;
  readonly onClear: () => void;
  /** Whether a click chooses a simulation instead of opening it. */
  readonly isChoosing: boolean;
  readonly onChoosing: (isChoosing: boolean) => void;
}

/** Which simulations are chosen for a comparison, and the link to it. */
export function ChoiceBar({ chosen, onClear, isChoosing, onChoosing }: ChoiceBarProps) {
  return (
    <p class="tools">
      <button type="button" aria-pressed={isChoosing} onClick={() => onChoosing(!isChoosing)}>
        Choose to compare
      </button>
      <span class="quiet" aria-live="polite">
        {chosen.size > 0
          ? `${plural(chosen.size, "simulation")} chosen${chosen.size === maxRollouts ? ", the most that fit" : ""}`
          : isChoosing && `Click two to ${maxRollouts} simulations, or press x on them.`}
      </span>
      {chosen.size > 1 && <a href={compareHref([...chosen])}>Side by side</a>}
      {chosen.size > 0 && (
        <button type="button" onClick={onClear}>
          Clear
        </button>
      )}
    </p>
  );
}
