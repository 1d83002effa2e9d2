import { type CheckedModel, type CheckReport, checkSentence } from "./check-report.ts";

/** Colours a text by verdict; returns it unchanged if colours are off. */
export type Paint = (verdict: CheckedModel["verdict"], text: string) => string;

const marks: Readonly<Record<CheckedModel["verdict"], string>> = {
  ending: "✗",
  deprecated: "!",
  active: "✓",
  unknown: "?",
};
const order = ["ending", "deprecated", "active", "unknown"] as const;

/** For people: the earliest shutdown first, with its page and the places that name the model. */
export function reportText(report: CheckReport, paint: Paint = (_verdict, text) => text): string {
  const { models, within_days, feed } = report;
  const lines = order.flatMap((verdict) =>
    models
      .filter((checked) => checked.verdict === verdict)
      .flatMap((checked) => [
        `${paint(verdict, marks[verdict])} ${checkSentence(checked)}`,
        ...details(checked),
      ]),
  );
  lines.push(...report.warnings.map(({ message }) => `warning: ${message}`));
  const ending = models.filter(({ verdict }) => verdict === "ending").length;
  const unknown = models.filter(({ verdict }) => verdict === "unknown").length;
  lines.push(
    `${models.length} ${models.length === 1 ? "model" : "models"}: ${ending} shut down or ending ` +
      `within ${within_days} days, ${unknown} unknown (${feed})`,
  );
  return `${lines.join("\n")}\n`;
}

function details({ notices, places }: CheckedModel): readonly string[] {
  const [first, ...others] = notices;
  const shown = places
    .slice(0, 10)
    .map(({ file, line, column }) =>
      [file, line, column].filter((part) => part !== null).join(":"),
    );
  if (places.length > shown.length) shown.push(`and ${places.length - shown.length} more places`);
  return [
    ...(first === undefined ? [] : [first.url]),
    ...others.map(
      (other) => `${other.provider}: ${other.shutdown_date || "no date"}, ${other.url}`,
    ),
    ...shown,
  ].map((text) => `    ${text}`);
}
