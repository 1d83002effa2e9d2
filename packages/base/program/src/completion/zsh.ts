import type { Command } from "../command-line/command.ts";
import type { LoadedProgram } from "../command-line/program.ts";
import type { Completion, Option } from "../option.ts";

/** A script for zsh, based on its own `_arguments` and `_describe`. */
export function zshCompletion({ name, commands, otherwise }: LoadedProgram): string {
  const call = `_${name.replaceAll("-", "_")}_completion`;
  const described = commands.map(
    (command) => `    ${quote(`${command.name}:${plain(command.summary)}`)}`,
  );
  const usual = otherwise === null ? [] : specsOf(otherwise);
  return `#compdef ${name}
${call}() {
  local -a commands
  commands=(
${described.join("\n")}
  )
  case \${words[2]:-} in
${commands.map((command) => caseOf(command)).join("")}    *)
      (( CURRENT == 2 )) && _describe command commands
      _arguments -s ${[...usual, "'-h[help]'", "'--help[help]'"].join(" ")}
      ;;
  esac
}
compdef ${call} ${name}
`;
}

function caseOf(command: Command): string {
  const { completion, shown } = command.operand;
  const operand = shown === "" ? [] : [quote(`*:${plain(shown)}:${actionOf(completion)}`)];
  return `    ${command.name})
      shift words; (( CURRENT-- ))
      _arguments -s ${[...specsOf(command), ...operand].join(" ")}
      ;;
`;
}

const specsOf = ({ options }: Command): string[] =>
  Object.entries(options).flatMap(([key, option]) => [
    specOf(`--${key}`, option),
    ...(option.short === null ? [] : [specOf(`-${option.short}`, option)]),
  ]);

function specOf(
  spelling: string,
  { about, value, repeatable, completion }: Option<unknown>,
): string {
  const rest = value === null ? "" : `:${plain(value)}:${actionOf(completion)}`;
  return quote(`${repeatable ? "*" : ""}${spelling}[${plain(about)}]${rest}`);
}

const actionOf = (completion: Completion): string =>
  completion === null ? " " : completion === "files" ? "_files" : `(${completion.join(" ")})`;

const plain = (text: string): string => text.replace(/[[\]:\\]/g, "\\$&");

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
