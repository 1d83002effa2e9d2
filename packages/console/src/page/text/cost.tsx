import { dollars, exactDollars } from "../../quantities/dollars.ts";

interface CostProps {
  /** In nano-dollars (10^-9 US dollars). */
  readonly nano: number;
  /** Only a part of what it is of was counted. */
  readonly isPartial?: boolean;
}

/** What calls cost, rounded, and to the last digit where it is pointed at. */
export const Cost = ({ nano, isPartial = false }: CostProps) => (
  <span class="cost" title={exactDollars(nano)}>
    {isPartial && "≥ "}
    {dollars(nano)}
  </span>
);
