import { dollars, exactDollars } from "@proj/launcher-client/sheets";

interface CostProps {
  /** In nano-dollars (10^-9 US dollars). */
  readonly nano: number;
  /** Not all calls were counted, so it may be more. */
  readonly isPartial?: boolean;
}

/** A rounded cost; pointing at it shows every digit. */
export const Cost = ({ nano, isPartial = false }: CostProps) => (
  <span class="cost" title={exactDollars(nano)}>
    {isPartial && "≥ "}
    {dollars(nano)}
  </span>
);
