import { type CommandOptions, describeCommand } from "../child-process/command-options.ts";
import { runCommand } from "../child-process/run-command.ts";
import { askedEvaluator } from "./asked-evaluator.ts";
import { evaluationDocument } from "./evaluation-document.ts";
import type { Evaluator } from "./evaluator.ts";

/**
 * An evaluator that is a command of the system's shell. It gets
 * `{"simulation":{…},"result":{…},"steps":[…]}` on its standard input, of which it may read as much as
 * it likes; the last line of its standard output that is not blank is the score, or an object with
 * `score` and details.
 */
export function commandEvaluator(command: string, options: CommandOptions = {}): Evaluator {
  return askedEvaluator(describeCommand(command), ({ request, signal, mask }) =>
    runCommand(command, options, { input: evaluationDocument(request), env: {}, mask, signal }),
  );
}
