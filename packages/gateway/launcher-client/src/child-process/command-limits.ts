/**
 * What each process of a command may use; the system ends it or refuses it more. The limits apply to each process
 * alone: only a container's limits bound the memory of all processes together.
 */
export interface CommandLimits {
  /** Bytes of memory that it may write to (RLIMIT_DATA). */
  readonly memoryBytes?: number;
  /** Seconds of processor time. */
  readonly cpuSeconds?: number;
  /** Size of a file that it writes, in bytes. */
  readonly fileBytes?: number;
  readonly openFiles?: number;
  /** Processes of the command's user, counted over all commands that run as that user. */
  readonly processes?: number;
}

/** Lines for a POSIX shell, which stop it when a limit cannot be set. */
export function limitLines(limits: CommandLimits): string {
  const flags: readonly (readonly [string, number | undefined])[] = [
    ["-d", inUnits(limits.memoryBytes, 1024)],
    ["-t", limits.cpuSeconds],
    ["-f", inUnits(limits.fileBytes, 512)],
    ["-n", limits.openFiles],
    [processesFlag, limits.processes],
  ];
  return flags
    .flatMap(([flag, value]) =>
      value === undefined ? [] : [`ulimit ${flag} ${value} || exit 126\n`],
    )
    .join("");
}

/** dash uses another letter for this limit than other shells. */
const processesFlag = "$( (ulimit -u) >/dev/null 2>&1 && echo -u || echo -p)";

const inUnits = (bytes: number | undefined, unit: number): number | undefined =>
  bytes === undefined ? undefined : Math.max(1, Math.floor(bytes / unit));
