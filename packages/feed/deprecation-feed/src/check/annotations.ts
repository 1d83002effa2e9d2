import { type CheckedModel, type CheckReport, checkSentence } from "./check-report.ts";

const levels: Readonly<Record<CheckedModel["verdict"], string>> = {
  ending: "error",
  deprecated: "warning",
  active: "notice",
  unknown: "notice",
};

/** GitHub shows ten annotations of a step and level. */
const maxShown = 10;

/**
 * Workflow commands that make GitHub Actions annotate the lines that name the models, the most urgent first. What is
 * beyond GitHub's limit is only in the summary of the job.
 */
export function annotations({ models, warnings }: CheckReport): string {
  const gaps = warnings.map(
    ({ message }) => `::warning title=Feed not up to date::${escapeData(message)}\n`,
  );
  const sorted = order.flatMap((verdict) => models.filter((one) => one.verdict === verdict));
  const lines = sorted.flatMap((checked) => {
    const places = checked.places.length === 0 ? [null] : checked.places;
    return places.map((place) => {
      const properties = [
        ...(place === null ? [] : [["file", place.file] as const]),
        ...(place?.line == null ? [] : [["line", String(place.line)] as const]),
        ...(place?.column == null ? [] : [["col", String(place.column)] as const]),
        ["title", `Model ${checked.verdict}`] as const,
      ];
      const written = properties.map(([name, value]) => `${name}=${escapeProperty(value)}`);
      const source = checked.notices[0]?.url ?? "";
      const message = `${checkSentence(checked)}${source === "" ? "" : ` ${source}`}`;
      return `::${levels[checked.verdict]} ${written.join(",")}::${escapeData(message)}\n`;
    });
  });
  const all = [...lines, ...gaps];
  if (all.length <= maxShown) return all.join("");
  const rest = all.length - maxShown + 1;
  const note = `::notice title=Models::${rest} more findings are in the summary of this job\n`;
  return [...all.slice(0, maxShown - 1), note].join("");
}

const order = ["ending", "deprecated", "active", "unknown"] as const;

const escapeData = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
