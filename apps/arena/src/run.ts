import { once } from "node:events";
import {
  type Command,
  defineCommand,
  exitCode,
  flag,
  jsonOption,
  optional,
  readWithDefault,
  UsageError,
  wholeNumber,
  withDefault,
} from "@proj/program";
import type { ArenaEvent } from "./arena-event.ts";
import { openArena } from "./open-arena.ts";
import type { ArenaModel } from "./services/open-gateway.ts";
import { announce, logEvent, standingsText } from "./words.ts";

/** Runs one arena to its end. */
export const run: Command = defineCommand({
  name: "run",
  summary: "let model-driven traders trade on one market, and rank them",
  about:
    "Lets model-driven traders trade on one paper-money market, and prints their ranking by return over drawdown. A small built-in model plays unless --base-url and --model name another. With the built-in model, the same --seed gives the same ranking.",
  no: "a trader failed",
  variables: { ARENA_API_KEY: "the API key for --base-url" },
  options: {
    traders: readWithDefault(wholeNumber("N", "number of traders", { min: 1, max: 64 }), 4),
    rounds: readWithDefault(
      wholeNumber("N", "turns per trader and match", { min: 1, max: 1000 }),
      32,
    ),
    matches: readWithDefault(
      wholeNumber("N", "markets to trade on, with a seed each", { min: 1, max: 100 }),
      3,
    ),
    step: readWithDefault(
      wholeNumber("MINUTES", "market time between rounds", { min: 1, max: 1440 }),
      15,
    ),
    seed: readWithDefault(
      wholeNumber("N", "seed of the first market, its fills and the built-in model", {
        min: 0,
        max: 999_999_999,
      }),
      1,
    ),
    "base-url": optional("URL", "a chat completions server, ending in /v1"),
    model: optional("NAME", "the model to request there"),
    data: withDefault("DIR", "where databases and logs are kept", "data/arena"),
    stay: flag("keep serving the pages afterwards, until a signal"),
    json: jsonOption("the ranking as one JSON object"),
  },
  async run({ options }, { signal }) {
    const { traders, rounds, matches, step: stepMinutes, seed, data: folder, stay, json } = options;
    const model = modelOf(options["base-url"], options.model);
    const tell = (event: ArenaEvent): void => logEvent(event);
    const arena = await openArena({
      ...{ folder, traders, rounds, matches, stepMinutes, seed, model, tell },
    });
    try {
      announce(arena);
      const { standings } = await arena.run(signal);
      const ranking = { seed, matches, rounds, step_minutes: stepMinutes, standings };
      process.stdout.write(json ? `${JSON.stringify(ranking)}\n` : standingsText(standings));
      if (stay) {
        console.error("The pages stay up until a signal.");
        if (!signal.aborted) await once(signal, "abort");
      }
      return standings.some(({ reward }) => reward === null) ? exitCode.no : exitCode.done;
    } finally {
      await arena.close();
    }
  },
});

function modelOf(base_url: string | null, name: string | null): ArenaModel | null {
  if (base_url === null && name === null) return null;
  if (base_url === null || name === null)
    throw new UsageError("--base-url and --model must be given together");
  if (!URL.canParse(base_url)) throw new UsageError(`--base-url must be a URL, not '${base_url}'`);
  const { ARENA_API_KEY: api_key = "" } = process.env;
  return { base_url, name, api_key: api_key === "" ? null : api_key };
}
