import type { Command } from "../command-line/command.ts";
import type { LoadedProgram } from "../command-line/program.ts";
import type { Completion } from "../option.ts";

/** A script for bash that completes commands, options, their words, and files. */
export function bashCompletion({ name, commands, otherwise }: LoadedProgram): string {
  const names = commands.map((command) => command.name).join(" ");
  const start = otherwise === null ? "-h --help -v --version" : flagsOf(otherwise);
  return `${functionOf(name)}() {
  local word cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in ${commands.map((command) => command.name).join("|")}) command=$word; break ;; esac
  done
  case "$command $prev" in
${commands.flatMap((command) => valueCases(command, command === otherwise)).join("")}  esac
  case $command in
${commands.map((command) => `    ${command.name}) ${wordsOf(command)} ;;\n`).join("")}    *) COMPREPLY=($(compgen -W "${names} ${start}" -- "$cur")) ;;
  esac
}
complete -o bashdefault -F ${functionOf(name)} ${name}
`;
}

const functionOf = (name: string): string => `_${name.replaceAll("-", "_")}_completion`;

const flagsOf = ({ options }: Command): string =>
  [...Object.keys(options), "help"].map((key) => `--${key}`).join(" ");

/** Completes the value of an option; if the command is the usual one, also without its name. */
function valueCases({ name, options }: Command, isUsual: boolean): string[] {
  return Object.entries(options).flatMap(([key, { short, value, completion }]) => {
    if (value === null) return [];
    const spellings = [`--${key}`, ...(short === null ? [] : [`-${short}`])];
    const names = isUsual ? [name, ""] : [name];
    const cases = names.flatMap((command) =>
      spellings.map((spelling) => `"${command} ${spelling}"`),
    );
    return [`    ${cases.join("|")}) ${reply(completion, "")}; return ;;\n`];
  });
}

const wordsOf = (command: Command): string =>
  command.operand.completion === "files"
    ? `COMPREPLY=($(compgen -W "${flagsOf(command)}" -- "$cur") $(compgen -f -- "$cur"))`
    : reply(command.operand.completion, flagsOf(command));

function reply(completion: Completion, more: string): string {
  if (completion === "files") return 'COMPREPLY=($(compgen -f -- "$cur"))';
  const words = [...(completion ?? []), more].join(" ").trim();
  return words === "" ? "COMPREPLY=()" : `COMPREPLY=($(compgen -W "${words}" -- "$cur"))`;
}
