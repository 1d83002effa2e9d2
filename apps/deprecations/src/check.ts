import { styleText } from "node:util";
import {
  annotations,
  type CheckReport,
  checkModels,
  type Feed,
  findModels,
  type ModelPlace,
  type Paint,
  readFeed,
  reportText,
} from "@proj/deprecation-feed";
import { readRouteModels } from "@proj/gateway-protocol";
import type { CheckCommand } from "./command-line.ts";

/** @returns the exit code: 1 where a model ends within the days asked for */
export async function check(command: CheckCommand, signal: AbortSignal): Promise<number> {
  const { feed: location, withinDays, providers, format } = command;
  const feed = await readFeed(location, { signal });
  const places = await placesOf(command, feed, signal);
  const checks = checkModels(places.keys(), feed, { withinDays, providers });
  const models = checks.map((checked) => ({ ...checked, places: places.get(checked.model) ?? [] }));
  const report: CheckReport = { feed: feed.location, within_days: withinDays, models };
  process.stdout.write(write(report, format));
  return models.some(({ verdict }) => verdict === "ending") ? 1 : 0;
}

function write(report: CheckReport, format: CheckCommand["format"]): string {
  if (format === "json") return `${JSON.stringify(report, null, 1)}\n`;
  return format === "github" ? annotations(report) : reportText(report, paint);
}

/** Colours where the output is a terminal that wants them. */
const paint: Paint = (verdict, text) => {
  const colours = { ending: "red", deprecated: "yellow", unknown: "gray" } as const;
  return styleText(colours[verdict], text, { stream: process.stdout });
};

/** The models to look up, with where each is named; those of the command line stand nowhere. */
async function placesOf(
  command: CheckCommand,
  feed: Feed,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly ModelPlace[]>> {
  const places = new Map<string, ModelPlace[]>(command.models.map((model) => [model, []]));
  const add = (model: string, place: ModelPlace): void => {
    const known = places.get(model);
    if (known === undefined) places.set(model, [place]);
    else known.push(place);
  };
  for (const file of command.configs) {
    const { models, unread } = readRouteModels(file);
    for (const key of unread) {
      console.error(
        `${file}: the upstream_model of route '${key}' refers to a variable that is not set, and is not checked`,
      );
    }
    for (const model of models) add(model, { file, line: null, column: null });
  }
  const known = new Set(
    feed.items.flatMap(({ _deprecation: { model_id, aliases } }) => [model_id, ...aliases]),
  );
  known.delete("");
  for (const source of command.sources) {
    const { found, isCut } = await findModels(source, known, { signal });
    if (isCut) console.error(`${source} is too large to be searched whole; there may be more`);
    for (const { model, file, line, column } of found) add(model, { file, line, column });
  }
  return places;
}
