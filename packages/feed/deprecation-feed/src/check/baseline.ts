import { isJsonObject } from "../notice/json-object.ts";
import type { CheckedModel } from "./check-report.ts";

/** Accepted findings: a model and a file that names it; an empty file means the command line. */
export interface Baseline {
  readonly accepted: readonly AcceptedModel[];
}

interface AcceptedModel {
  readonly model: string;
  readonly file: string;
}

const version = 1;

/** Accepts all current findings of a check. */
export function baselineOf(models: readonly CheckedModel[]): string {
  const accepted = models
    .filter(({ verdict }) => verdict === "ending" || verdict === "deprecated")
    .flatMap(({ model, places }) =>
      places.length === 0
        ? [{ model, file: "" }]
        : [...new Set(places.map(({ file }) => file))].map((file) => ({ model, file })),
    );
  return `${JSON.stringify({ version, accepted }, null, 2)}\n`;
}

/** @throws Error the text is not a baseline; the message names its source */
export function parseBaseline(text: string, source: string): Baseline {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new Error(`${source} is not JSON`, { cause: error });
  }
  if (!isJsonObject(document) || document.version !== version || !Array.isArray(document.accepted))
    throw new Error(`${source} is not a baseline of this program`);
  const accepted = document.accepted.filter(isJsonObject).map(({ model, file }) => ({
    model: String(model),
    file: String(file),
  }));
  return { accepted };
}

/** What the baseline does not accept: a model keeps only its new places, and is dropped if it has none. */
export function beyondBaseline(
  models: readonly CheckedModel[],
  { accepted }: Baseline,
): readonly CheckedModel[] {
  const keys = new Set(accepted.map(({ model, file }) => JSON.stringify([model, file])));
  const isNew = (model: string, file: string): boolean => !keys.has(JSON.stringify([model, file]));
  return models.flatMap((checked) => {
    const { model, places } = checked;
    if (places.length === 0) return isNew(model, "") ? [checked] : [];
    const left = places.filter(({ file }) => isNew(model, file));
    return left.length === 0 ? [] : [{ ...checked, places: left }];
  });
}
