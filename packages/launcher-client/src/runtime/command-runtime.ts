import { type CommandOptions, describeCommand } from "../child-process/command-options.ts";
import { runCommand } from "../child-process/run-command.ts";
import type { AgentRuntime } from "./agent-runtime.ts";
import { askedRuntime } from "./asked-runtime.ts";

/** Systems bound the size of a variable, Linux at 128 KiB. */
const largestVariable = 64 * 1024;

/**
 * A runtime that is a command of the system's shell. It gets the start request as one line of JSON on
 * its standard input and, up to 64 KiB, in the environment variable SIMULATION_START_REQUEST; the last
 * line of its standard output that is not blank is the result. A code other than 0 is a failure, also
 * after a good result. Whatever is left of its process group at its end is killed.
 *
 * Its standard streams are sockets, as of every child of Node: descriptors 0 to 2 work, the files
 * /dev/stdin, /dev/stdout and /dev/stderr cannot be opened on Linux.
 */
export function commandRuntime(command: string, options: CommandOptions = {}): AgentRuntime {
  return askedRuntime(describeCommand(command), ({ request, signal, mask }) => {
    const text = JSON.stringify(request);
    const SIMULATION_START_REQUEST = Buffer.byteLength(text) <= largestVariable ? text : undefined;
    return runCommand(command, options, {
      input: [`${text}\n`],
      env: { SIMULATION_START_REQUEST },
      mask,
      signal,
    });
  });
}
