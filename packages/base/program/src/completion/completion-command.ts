import { type Command, defineCommand } from "../command-line/command.ts";
import { type LoadedProgram, loadProgram, type Program } from "../command-line/program.ts";
import { exitCode } from "../exit-code.ts";
import { oneOperand } from "../operand.ts";
import { UsageError } from "../program-error.ts";
import { bashCompletion } from "./bash.ts";
import { fishCompletion } from "./fish.ts";
import { zshCompletion } from "./zsh.ts";

const shells: Readonly<Record<string, (program: LoadedProgram) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};
const names = Object.keys(shells);

/** `PROGRAM completion SHELL` */
export function completionCommand(program: Program): Command {
  const { name } = program;
  return defineCommand({
    name: "completion",
    summary: "print a script with which a shell completes this program's commands and options",
    about: [
      "Prints a script with which a shell completes this program's commands and options.",
      `bash: source <(${name} completion bash), in ~/.bashrc`,
      `zsh: source <(${name} completion zsh), in ~/.zshrc after compinit`,
      `fish: ${name} completion fish > ~/.config/fish/completions/${name}.fish`,
    ].join("\n\n"),
    operand: oneOperand("SHELL", "bash, zsh or fish", names),
    options: {},
    async run({ operand }) {
      const shell = Object.hasOwn(shells, operand) ? shells[operand] : undefined;
      if (shell === undefined)
        throw new UsageError(`SHELL must be ${names.join(", ")}, not '${operand}'`);
      process.stdout.write(shell(await loadProgram(program)));
      return exitCode.done;
    },
  });
}
