import { chooseCommand } from "../command-line/choose-command.ts";
import { type Command, defineCommand } from "../command-line/command.ts";
import { loadProgram, type Program } from "../command-line/program.ts";
import { exitCode } from "../exit-code.ts";
import { optionalOperand } from "../operand.ts";
import { helpText, programHelp } from "./help-text.ts";

/** `PROGRAM help [COMMAND]` */
export const helpCommand = (program: Program): Command =>
  defineCommand({
    name: "help",
    summary: "show how to use the program or one of its commands",
    operand: optionalOperand("COMMAND", "the command"),
    options: {},
    async run({ operand }, { calledAs }) {
      const choice = operand === null ? null : await chooseCommand(program, [operand]);
      process.stdout.write(
        choice === null
          ? programHelp(await loadProgram(program), calledAs)
          : helpText(program, choice.command),
      );
      return exitCode.done;
    },
  });
