import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { limitLines } from "../child-process/command-limits.ts";
import { isMachineRoot } from "../child-process/command-user.ts";
import { type AgentNetwork, announcement, type Sandbox } from "./sandbox.ts";

export interface BubblewrapOptions {
  /** Files and folders that an agent may read in addition to the system's programs. Absolute paths. */
  readonly readable?: readonly string[];
  /** @default session */
  readonly network?: AgentNetwork;
}

/** In the root folder: links to /usr on most systems, real folders on others. */
const systemFolders: readonly string[] = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/**
 * The part of /etc that programs need: names, certificates, the dynamic linker. None of it is secret; of the folders
 * of certificates only those that hold no private keys.
 */
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
  "/etc/pki/ca-trust",
  "/etc/pki/tls/cert.pem",
  "/etc/pki/tls/certs",
  "/etc/pki/tls/openssl.cnf",
  "/etc/protocols",
  "/etc/resolv.conf",
  "/etc/services",
  "/etc/ssl/ca-bundle.pem",
  "/etc/ssl/cert.pem",
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
];

/** Parts of /proc that belong to the machine: the kernel asks for the right id there, and for nothing else. */
const ofTheMachine: readonly string[] = ["bus", "irq", "sys", "sysrq-trigger"];

/**
 * bubblewrap (Linux): the command sees the system's programs, the `readable` paths and its own folder, but no other
 * process, no home and no database, and reaches nothing but its session's endpoint. `enter` throws an Error for the
 * machine's root, whom bubblewrap does not hold.
 */
export function bubblewrap({
  readable = [],
  network = "session",
}: BubblewrapOptions = {}): Sandbox {
  const view = [
    // No new session: the process group that gets our signals must keep its processes.
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts"],
    ...["--unshare-cgroup-try", "--cap-drop", "ALL"],
    ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp"],
    ...ofTheMachine.flatMap((name) => ["--ro-bind-try", `/proc/${name}`, `/proc/${name}`]),
    ...["--ro-bind", "/usr", "/usr"],
    ...systemFolders.flatMap(systemFolder),
    ...settings.flatMap((path) => ["--ro-bind-try", path, path]),
    ...readable.flatMap((path) => ["--ro-bind", path, path]),
  ];
  return {
    description: "bubblewrap",
    network,
    enter: ({ script, cwd, folder, env, limits, user }) => {
      const place = cwd.startsWith(folder.root) ? [] : ["--ro-bind", cwd, cwd];
      if (user === null ? isMachineRoot() : user.uid === 0) throw new Error(rootIsNotHeld);
      // Each is mounted: a process inside cannot put anything else in its place.
      const { work, home, tmp } = folder;
      const own = [work, home, tmp].flatMap((path) => ["--bind", path, path]);
      const isAlone = network === "session";
      const waiting = isAlone ? "IFS= read -r _ || exit 125\n" : "";
      const shell = [
        "--",
        "/bin/sh",
        "-c",
        `${waiting}${limitLines(limits)}${announcement}${script}`,
      ];
      const inner = [...view, ...place, ...own, "--chdir", cwd, ...shell];
      // bubblewrap itself starts in a directory that every user may enter.
      const call = { file: "bwrap", env, cwd: "/", user, isAnnounced: true };
      if (!isAlone) return { ...call, args: inner };
      return { ...call, args: [...ownNetwork(), ...inner], goAhead: "\n" };
    },
  };
}

/**
 * Root enters any network. Others enter only one that belongs to a user namespace that they can enter too, and with
 * terminals of its own bubblewrap ends in a namespace below that one: an outer bubblewrap makes the network then.
 */
const ownNetwork = (): readonly string[] =>
  process.getuid?.() === 0
    ? ["--unshare-net"]
    : ["--unshare-user", "--unshare-net", "--dev-bind", "/", "/", "--", "bwrap"];

const rootIsNotHeld = "bubblewrap does not hold root: run agents as another user";

function systemFolder(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  const isLink = lstatSync(path).isSymbolicLink();
  return isLink ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}
