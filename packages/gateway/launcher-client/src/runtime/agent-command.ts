import { passedVariables } from "../child-process/agent-environment.ts";
import { type CommandLimits, limitLines } from "../child-process/command-limits.ts";
import type { CommandOptions } from "../child-process/command-options.ts";
import { type CommandUser, userInSandbox } from "../child-process/command-user.ts";
import type { CommandStart } from "../child-process/start-command.ts";
import type { AgentNetwork, Sandbox } from "../sandbox/sandbox.ts";
import type { AttemptFolder } from "../workdir/attempt-folder.ts";

/** How an agent's command is run. With none of these, it runs as the launcher's own user. */
export interface AgentCommandOptions extends CommandOptions {
  /** Variables of the launcher's environment to pass, besides the usual ones. */
  readonly passEnv?: readonly string[];
  /** @default the launcher's own user; in a sandbox, root's agents run as `nobody` */
  readonly user?: CommandUser | null;
  readonly limits?: CommandLimits;
  /** @default none */
  readonly sandbox?: Sandbox | null;
}

export interface AgentStart extends CommandStart {
  readonly network: AgentNetwork;
  /** The beginning of its input. */
  readonly goAhead: string;
}

/**
 * How to start an agent: in its own folder, and with its own environment, which has only listed variables of the
 * launcher's.
 * @param own variables that override all others
 */
export async function agentCommand(
  command: string,
  options: AgentCommandOptions,
  folder: AttemptFolder,
  own: Readonly<Record<string, string>>,
  session_id: string,
): Promise<AgentStart> {
  const { limits = {}, sandbox = null } = options;
  const user = options.user ?? (sandbox === null || sandbox.isElsewhere ? null : userInSandbox());
  const paths = await folder.open();
  if (user !== null && user.uid !== process.getuid?.()) await folder.give(user);
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
    return { run, cwd, env, uid: user?.uid, gid: user?.gid, network: "machine", goAhead: "" };
  }
  const call = sandbox.enter({
    session_id,
    script: command,
    cwd,
    folder: paths,
    env,
    limits,
    user,
  });
  const { file, args } = call;
  return {
    run: { file, args },
    cwd: call.cwd,
    env: call.env,
    uid: call.user?.uid,
    gid: call.user?.gid,
    network: sandbox.network ?? "machine",
    goAhead: call.goAhead ?? "",
    isAnnounced: call.isAnnounced,
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
