import { chooseCommand } from "../command-line/choose-command.ts";
import { type Command, defineCommand } from "../command-line/command.ts";
import type { Program } from "../command-line/program.ts";
import { exitCode } from "../exit-code.ts";
import { optionalOperand } from "../operand.ts";
import { helpText } from "./help-text.ts";

/** `PROGRAM help [COMMAND]` */
export const helpCommand = (program: () => Program): Command =>
  defineCommand({
    name: "help",
    summary: "say how the program, or one of its commands, is used",
    operand: optionalOperand("COMMAND", "the command"),
    options: {},
    async run({ operand }) {
      const choice = operand === null ? null : chooseCommand(program(), [operand]);
      process.stdout.write(helpText(program(), choice?.command ?? null));
      return exitCode.done;
    },
  });
