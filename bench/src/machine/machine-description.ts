import { cpus, freemem, release, totalmem, type } from "node:os";

export interface MachineDescription {
  readonly cpu: string;
  readonly cores: number;
  readonly memory_gb: number;
  readonly free_memory_gb: number;
  readonly kernel: string;
  readonly node: string;
  readonly pinning: string;
  readonly fdatasync_ms: number;
}

export function describeMachine(pinning: string, fdatasyncMs: number): MachineDescription {
  const gigabytes = (bytes: number): number => Math.round(bytes / 1e8) / 10;
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memory_gb: gigabytes(totalmem()),
    free_memory_gb: gigabytes(freemem()),
    kernel: `${type()} ${release()}`,
    node: process.version,
    pinning,
    fdatasync_ms: Math.round(fdatasyncMs * 1000) / 1000,
  };
}

export function machineLines(machine: MachineDescription): string[] {
  return [
    `CPU ${machine.cpu}, ${machine.cores} cores; memory ${machine.memory_gb} GB; ${machine.kernel}; Node ${machine.node}`,
    `write 4 KB + fdatasync: ${machine.fdatasync_ms} ms (median of 200); ${machine.pinning}`,
  ];
}
