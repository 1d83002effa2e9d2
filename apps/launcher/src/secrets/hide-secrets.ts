import { closeSync, readFileSync } from "node:fs";
import { secretVariables } from "@proj/launcher-client/secret-variables";

/** Names the descriptor that has the secrets, once they are hidden. */
const descriptorVariable = "LAUNCHER_SECRETS_FD";
const descriptor = 3;
const textVariable = "LAUNCHER_SECRETS";

/** Options that take secrets, and the variables that replace them. */
const secretOptions: Readonly<Record<string, string>> = {
  "--gateway-api-key": "GATEWAY_API_KEY",
  "--session-secret": "GATEWAY_SESSION_SECRET",
  "--db-path": "GATEWAY_DB_URL",
};

/** The shell is the one program that keeps its process id and hands on a pipe that nobody else can open. */
const script = `text=$${textVariable}
unset ${textVariable}
exec "$@" ${descriptor}<<END
$text
END`;

/**
 * Takes secrets out of what the system shows of a process: its first environment and its command line
 * can be read by every process of the same user, and so by agents, whatever the process does to them
 * later. So the program is executed again without them, under the same process id, and reads them from
 * a pipe. Returns where that is not needed, or has been done.
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
  // A here-document takes the text as it is: JSON has no line break in it.
  environment[textVariable] = JSON.stringify(secrets);
  const [, program = ""] = process.argv;
  const again = [process.execPath, ...process.execArgv, program, ...args];
  process.execve("/bin/sh", ["sh", "-c", script, "launcher", ...again], environment);
}

/** The variables are in this process alone then: what it starts gets an environment of its own. */
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

/** Neither the path of a database nor what looks like another option is a secret. */
function isSecret(variable: string, value: string): boolean {
  if (variable === "GATEWAY_DB_URL") return /^postgres(ql)?:\/\//.test(value);
  return value !== "" && !value.startsWith("-");
}
