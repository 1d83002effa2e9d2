const dayMs = 24 * 60 * 60 * 1000;

/** Today in UTC, as `YYYY-MM-DD`: the providers' dates have no time zone. */
export const today = () => new Date().toISOString().slice(0, 10);

/** Whole days from one `YYYY-MM-DD` to another. */
export const daysBetween = (from, to) => Math.round((Date.parse(to) - Date.parse(from)) / dayMs);

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** "in 12 days", "in 3 months", "2 years ago". */
export function distance(from, to) {
  const days = daysBetween(from, to);
  if (Math.abs(days) < 60) return relative.format(days, "day");
  if (Math.abs(days) < 730) return relative.format(Math.round(days / 30.44), "month");
  return relative.format(Math.round(days / 365.25), "year");
}
