import { closeSync, readFileSync } from "node:fs";
import { secretVariables } from "@proj/launcher-client/secret-variables";

/** Names the descriptor with the secrets, once they are hidden. */
const descriptorVariable = "LAUNCHER_SECRETS_FD";
const descriptor = 3;
const textVariable = "LAUNCHER_SECRETS";

/** Options that take secrets, and the variables that replace them. */
const secretOptions: Readonly<Record<string, string>> = {
  "--gateway-api-key": "GATEWAY_API_KEY",
  "--session-secret": "GATEWAY_SESSION_SECRET",
  "--db-path": "GATEWAY_DB_URL",
};

/** Only a shell keeps its process id and can hand on a pipe that nobody else can open. */
const script = `text=$${textVariable}
unset ${textVariable}
exec "$@" ${descriptor}<<END
$text
END`;

/**
 * Takes secrets out of what the system shows of a process. Every process of the same user, and so every agent, can
 * read a process's first environment and command line, whatever it does to them later. So the program is executed
 * again without them, under the same process id, and reads them from a pipe. Returns if that is not needed or has
 * been done.
 */
export function hideSecrets(): void {
  if (process.env[descriptorVariable] !== undefined) {
    restoreSecrets();
    return;
  }
  if (process.execve === undefined || process.platform === "win32") return;
  const { secrets, args } = withoutSecrets(process.argv.slice(2));
  const environment: Record<string, string> = {};
  for (const [name, value = ""] of Object.entries(process.env)) {
    if (!secretVariables.includes(name)) environment[name] = value;
    else if (value !== "") secrets[name] ??= value;
  }
  if (Object.keys(secrets).length === 0) return;
  environment[descriptorVariable] = String(descriptor);
  // A here-document takes the text unchanged, because JSON has no line breaks.
  environment[textVariable] = JSON.stringify(secrets);
  const [, program = ""] = process.argv;
  const again = [process.execPath, ...process.execArgv, program, ...args];
  process.execve("/bin/sh", ["sh", "-c", script, "launcher", ...again], environment);
}

/** From here on only this process has the variables: its children get separate environments. */
function restoreSecrets(): void {
  delete process.env[descriptorVariable];
  const text = readFileSync(descriptor, "utf8");
  closeSync(descriptor);
  Object.assign(process.env, JSON.parse(text));
}

interface Separated {
  readonly secrets: Record<string, string>;
  readonly args: readonly string[];
}

function withoutSecrets(given: readonly string[]): Separated {
  const secrets: Record<string, string> = {};
  const args: string[] = [];
  for (let at = 0; at < given.length; at += 1) {
    const arg = given[at] ?? "";
    if (arg === "--") return { secrets, args: [...args, ...given.slice(at)] };
    const [name = "", inline] = arg.split(/=(.*)/s, 2);
    const variable = Object.hasOwn(secretOptions, name) ? secretOptions[name] : undefined;
    const value = inline ?? given[at + 1] ?? "";
    if (variable === undefined || !isSecret(variable, value)) {
      args.push(arg);
      continue;
    }
    secrets[variable] = value;
    if (inline === undefined) at += 1;
  }
  return { secrets, args };
}

/** The path of a database is not a secret, nor is a value that looks like another option. */
function isSecret(variable: string, value: string): boolean {
  if (variable === "GATEWAY_DB_URL") return /^postgres(ql)?:\/\//.test(value);
  return value !== "" && !value.startsWith("-");
}
