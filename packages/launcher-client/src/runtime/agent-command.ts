import { passedVariables } from "../child-process/agent-environment.ts";
import { type CommandLimits, limitLines } from "../child-process/command-limits.ts";
import type { CommandOptions } from "../child-process/command-options.ts";
import type { CommandUser } from "../child-process/command-user.ts";
import type { CommandStart } from "../child-process/start-command.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { type AttemptFolder, giveFolder } from "../workdir/attempt-folder.ts";

/** How an agent's command is run. Without any of these, it runs as the launcher's own user. */
export interface AgentCommandOptions extends CommandOptions {
  /** Names of variables of the launcher's environment that are passed besides the usual ones. */
  readonly passEnv?: readonly string[];
  /** @default the launcher's own user */
  readonly user?: CommandUser | null;
  readonly limits?: CommandLimits;
  /** @default none */
  readonly sandbox?: Sandbox | null;
}

/**
 * What is started for an agent: with an environment of its own, which holds no more of the launcher's
 * than is on a list, and in a folder of its own.
 * @param own goes before all other variables
 */
export async function agentCommand(
  command: string,
  options: AgentCommandOptions,
  folder: AttemptFolder,
  own: Readonly<Record<string, string>>,
): Promise<CommandStart> {
  const { user = null, limits = {}, sandbox = null } = options;
  const paths = await folder.open();
  if (user !== null) await giveFolder(paths.root, user.uid, user.gid);
  const cwd = options.cwd ?? paths.work;
  const name = user === null ? process.env.USER : user.name;
  const env = definedOnly({
    ...passedVariables(process.env, options.passEnv),
    ...{ HOME: paths.home, USERPROFILE: paths.home },
    ...{ TMPDIR: paths.tmp, TMP: paths.tmp, TEMP: paths.tmp },
    ...{ USER: name, LOGNAME: name },
    ...options.env,
    ...own,
  });
  if (sandbox === null) {
    const run = `${limitLines(limits)}${command}`;
    return { run, cwd, env, uid: user?.uid, gid: user?.gid };
  }
  const call = sandbox.enter({ script: command, cwd, folder: paths, env, limits, user });
  const { file, args } = call;
  return {
    run: { file, args },
    cwd: call.cwd,
    env: call.env,
    uid: call.user?.uid,
    gid: call.user?.gid,
  };
}

function definedOnly(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const given = Object.entries(environment);
  return Object.fromEntries(
    given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
