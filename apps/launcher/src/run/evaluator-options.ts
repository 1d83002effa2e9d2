import {
  commandEvaluator,
  type Evaluator,
  httpEvaluator,
  resultEvaluator,
} from "@proj/launcher-client";
import {
  type OptionSettings,
  optional,
  type Refuse,
  readWithDefault,
  seconds,
  wholeNumber,
} from "@proj/program";
import type { ValuesOf } from "../options-of.ts";
import { fromOption } from "./from-option.ts";

/** Options for the evaluator, in `run` and `evaluate`. */
export const evaluatorOptions = (what: OptionSettings = {}, howLong: OptionSettings = {}) => ({
  "evaluator-command": optional("COMMAND", "the command that scores a simulation", what),
  "evaluator-url": optional("URL", "or the endpoint that scores it", what),
  "evaluation-attempts": readWithDefault(
    wholeNumber("N", "how often it may fail before the attempt ends", {
      ...what,
      min: 1,
      max: 1_000,
    }),
    3,
  ),
  "evaluation-timeout": readWithDefault(seconds("for the evaluator", howLong), 600_000, "600"),
});

export type EvaluatorSettings = ValuesOf<ReturnType<typeof evaluatorOptions>>;

/** @param who what cannot do without one, and perhaps why */
export function requireEvaluator(
  options: EvaluatorSettings,
  refuse: Refuse,
  who: string,
  why: string = "",
): void {
  if (options["evaluator-command"] === null && options["evaluator-url"] === null)
    refuse(`${who} needs --evaluator-command or --evaluator-url${why}`);
}

export function checkEvaluator(options: EvaluatorSettings, refuse: Refuse): void {
  if (options["evaluator-command"] !== null && options["evaluator-url"] !== null)
    refuse("--evaluator-command and --evaluator-url exclude each other");
}

/** Without a command or an endpoint, the runtime's own total_reward is the score. @throws UsageError */
export function evaluatorOf(options: EvaluatorSettings): Evaluator {
  const { "evaluator-command": command, "evaluator-url": url } = options;
  if (command !== null) return commandEvaluator(command);
  return url === null ? resultEvaluator : fromOption("evaluator-url", () => httpEvaluator(url));
}
