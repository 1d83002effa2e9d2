import { type CheckedModel, type CheckReport, checkSentence } from "./check-report.ts";

const levels: Readonly<Record<CheckedModel["verdict"], string>> = {
  ending: "error",
  deprecated: "warning",
  active: "notice",
  unknown: "notice",
};

/** Workflow commands that make GitHub Actions annotate the lines that name the models. */
export function annotations({ models, warnings }: CheckReport): string {
  const gaps = warnings.map(
    ({ message }) => `::warning title=Feed not up to date::${escapeData(message)}\n`,
  );
  const lines = models.flatMap((checked) => {
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
  return [...lines, ...gaps].join("");
}

const escapeData = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
