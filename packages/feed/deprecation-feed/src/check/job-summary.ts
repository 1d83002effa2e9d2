import { type CheckedModel, type CheckReport, checkSentence } from "./check-report.ts";

const headings: Readonly<Record<CheckedModel["verdict"], string>> = {
  ending: "Shut down, or soon",
  deprecated: "Deprecated",
  active: "Active",
  unknown: "Not in the feed",
};
const order = ["ending", "deprecated", "active", "unknown"] as const;
const shownPlaces = 50;

/** All findings as Markdown, for the summary of a job in GitHub Actions. */
export function jobSummary({ models, warnings, feed }: CheckReport): string {
  const parts = order.flatMap((verdict) => {
    const found = models.filter((checked) => checked.verdict === verdict);
    if (found.length === 0) return [];
    return [`### ${headings[verdict]} (${found.length})`, found.map(entry).join("\n")];
  });
  const gaps = warnings.map(({ message }) => `> [!WARNING]\n> ${plain(message)}`);
  const none = models.length === 0 ? ["No models of the feed are named."] : [];
  return `${["## Models", ...gaps, ...none, ...parts, `Checked against ${plain(feed)}.`].join("\n\n")}\n`;
}

function entry(checked: CheckedModel): string {
  const { places, notices } = checked;
  const source = notices[0]?.url ?? "";
  const where = places
    .slice(0, shownPlaces)
    .map(({ file, line }) => `  - ${plain(line === null ? file : `${file}:${line}`)}`);
  const more = places.length - where.length;
  return [
    `- ${plain(checkSentence(checked))}${source === "" ? "" : ` ([page](${encodeURI(source)}))`}`,
    ...where,
    ...(more > 0 ? [`  - and ${more} more`] : []),
  ].join("\n");
}

/** A feed's texts are not markup. */
const plain = (text: string): string =>
  text.replace(/[\\`*_{}[\]<>#|!~]/g, "\\$&").replace(/\s+/g, " ");
