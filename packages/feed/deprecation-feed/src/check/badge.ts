import { type Format, makeBadge } from "badge-maker";
import type { ModelCheck } from "./check-models.ts";

const looks = {
  ending: { color: "red", message: (count: number) => `${count} ending` },
  deprecated: { color: "orange", message: (count: number) => `${count} deprecated` },
  active: { color: "brightgreen", message: () => "up to date" },
  unknown: { color: "lightgrey", message: () => "unknown" },
} as const;

/** An SVG badge with the worst verdict of a check. */
export function checkBadge(
  checks: readonly Pick<ModelCheck, "verdict">[],
  label = "models",
): string {
  const count = (verdict: ModelCheck["verdict"]): number =>
    checks.filter((checked) => checked.verdict === verdict).length;
  const worst =
    (["ending", "deprecated"] as const).find((verdict) => count(verdict) > 0) ??
    (count("unknown") === checks.length && checks.length > 0 ? "unknown" : "active");
  return badge(label, looks[worst].message(count(worst)), looks[worst].color);
}

export const badge = (label: string, message: string, color: string): string =>
  makeBadge({ label, message, color } satisfies Format);
