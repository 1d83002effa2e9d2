import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { limitLines } from "../child-process/command-limits.ts";
import type { Sandbox } from "./sandbox.ts";

export interface BubblewrapOptions {
  /** Files and folders that an agent may read besides the system's programs. Absolute paths. */
  readonly readable?: readonly string[];
}

/** In the root folder: links to /usr on most systems, folders of their own on others. */
const systemFolders: readonly string[] = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/** What programs need of /etc: names, certificates, the dynamic linker. Nothing in it is secret. */
const settings: readonly string[] = [
  "/etc/alternatives",
  "/etc/ca-certificates",
  "/etc/group",
  "/etc/hosts",
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
  "/etc/localtime",
  "/etc/mime.types",
  "/etc/nsswitch.conf",
  "/etc/passwd",
  "/etc/pki",
  "/etc/protocols",
  "/etc/resolv.conf",
  "/etc/services",
  "/etc/ssl",
];

/**
 * bubblewrap (Linux): the command sees the system's programs, what is readable, and its own folder; no
 * other process, no home, no database. The network is the machine's: the gateway has to be reached.
 */
export function bubblewrap({ readable = [] }: BubblewrapOptions = {}): Sandbox {
  const view = [
    // The group that gets signals keeps its processes: no session of its own in here.
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts"],
    ...["--unshare-cgroup-try", "--cap-drop", "ALL"],
    ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp"],
    ...["--ro-bind", "/usr", "/usr"],
    ...systemFolders.flatMap(systemFolder),
    ...settings.flatMap((path) => ["--ro-bind-try", path, path]),
    ...readable.flatMap((path) => ["--ro-bind", path, path]),
  ];
  return {
    description: "bubblewrap",
    enter: ({ script, cwd, folder, env, limits, user }) => {
      const place = cwd.startsWith(folder.root) ? [] : ["--ro-bind", cwd, cwd];
      const own = ["--bind", folder.root, folder.root, "--chdir", cwd];
      const shell = ["--", "/bin/sh", "-c", `${limitLines(limits)}${script}`];
      // Its own working directory is one that every user may enter.
      return { file: "bwrap", args: [...view, ...place, ...own, ...shell], env, cwd: "/", user };
    },
  };
}

function systemFolder(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  const isLink = lstatSync(path).isSymbolicLink();
  return isLink ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}
