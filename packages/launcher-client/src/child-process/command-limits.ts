/**
 * What each process of a command may take; the system ends it or refuses it more. They hold for every
 * process by itself: of all processes together, only a container's limits bound the memory.
 */
export interface CommandLimits {
  /** Bytes of memory that it writes to (RLIMIT_DATA). */
  readonly memoryBytes?: number;
  /** Seconds of processor time. */
  readonly cpuSeconds?: number;
  /** Bytes of a file that it writes. */
  readonly fileBytes?: number;
  readonly openFiles?: number;
  /** Processes of the user that the command runs as, of all its commands together. */
  readonly processes?: number;
}

/** Lines for a POSIX shell, which refuse to go on where a limit cannot be set. */
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

/** dash has another letter for it than the other shells. */
const processesFlag = "$( (ulimit -u) >/dev/null 2>&1 && echo -u || echo -p)";

const inUnits = (bytes: number | undefined, unit: number): number | undefined =>
  bytes === undefined ? undefined : Math.max(1, Math.floor(bytes / unit));
