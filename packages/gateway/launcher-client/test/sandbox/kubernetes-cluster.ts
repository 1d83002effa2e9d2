import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort, type TemporaryFolder, temporaryFolder, waitFor } from "@proj/test-kit";
import { killChild } from "./kill-child.ts";
import { packRoot } from "./root-image.ts";

const run = promisify(execFile);
const built = fileURLToPath(
  new URL("../../../../../node_modules/.cache/kubernetes", import.meta.url),
);
const path = `${built}:${process.env.PATH}:/usr/sbin:/sbin`;
const token = "tests";

/** Kubernetes of one node: an API server with its etcd, and a kubelet with containerd. It has no scheduler. */
export interface KubernetesCluster extends AsyncDisposable {
  readonly env: { readonly KUBECONFIG: string };
  /** The image that its node has. */
  readonly image: string;
  /** What pods need here: the node, since nobody chooses one, and its network. */
  readonly pod: object;
  kubectl(...args: readonly string[]): Promise<string>;
  /** The names of pods. */
  pods(): Promise<readonly string[]>;
  /** Kills the API server. @returns a function that starts it again */
  killServer(): Promise<() => Promise<void>>;
}

const programs = ["kube-apiserver", "kubelet", "kubectl", "etcd", "containerd", "ctr", "runc"];

/** Null: this machine lacks a program, or root. */
export async function startKubernetes(): Promise<KubernetesCluster | null> {
  if (process.getuid?.() !== 0) return null;
  for (const program of programs) {
    const has = await run("which", [program], { env: { PATH: path } }).catch(() => null);
    if (has === null) return null;
  }
  const folder = await temporaryFolder();
  const place = (name: string): string => join(folder.path, name);
  const ports = { etcd: await freePort(), peers: await freePort(), server: await freePort() };
  const kubelet = await freePort();
  const KUBECONFIG = place("kubeconfig");
  const options = { env: { ...process.env, PATH: path, KUBECONFIG } };
  const started: ChildProcess[] = [];
  const start = (program: string, args: Readonly<Record<string, string>>): ChildProcess => {
    const flags = Object.entries(args).map(([name, value]) => `--${name}=${value}`);
    const call = program === "kubelet" ? [...withOwnSettings(folder.path), program] : [program];
    const [file = "", ...rest] = call;
    const child = spawn(file, [...rest, ...flags], { ...options, stdio: "ignore" });
    started.push(child);
    return child;
  };
  const kubectl = async (...args: readonly string[]): Promise<string> =>
    (await run("kubectl", [...args], options)).stdout;

  await run("openssl", ["genrsa", "-out", place("key"), "2048"]);
  await writeFile(place("tokens"), `${token},tests,tests,system:masters\n`);
  await writeFile(KUBECONFIG, kubeconfig(ports.server));
  await writeFile(place("kubelet.yaml"), kubeletConfiguration(place, kubelet));
  await writeFile(place("containerd.toml"), containerdConfiguration(place));

  const etcd = `http://127.0.0.1:${ports.etcd}`;
  start("etcd", {
    "data-dir": place("etcd"),
    "listen-client-urls": etcd,
    "advertise-client-urls": etcd,
    "listen-peer-urls": `http://127.0.0.1:${ports.peers}`,
    "unsafe-no-fsync": "true",
  });
  const startServer = (): ChildProcess =>
    start("kube-apiserver", {
      "etcd-servers": etcd,
      "secure-port": String(ports.server),
      "bind-address": "127.0.0.1",
      "cert-dir": place("certificates"),
      "token-auth-file": place("tokens"),
      "authorization-mode": "AlwaysAllow",
      "service-account-issuer": "https://tests",
      "service-account-key-file": place("key"),
      "service-account-signing-key-file": place("key"),
      "service-cluster-ip-range": "10.0.0.0/24",
      "disable-admission-plugins": "ServiceAccount,TaintNodesByCondition",
      "endpoint-reconciler-type": "none",
      "kubelet-preferred-address-types": "InternalIP",
    });
  start("containerd", { config: place("containerd.toml") });
  const address = ["--address", place("containerd.sock")];
  const image = await packImage(folder);
  await waitFor(
    () => run("ctr", [...address, "version"], options).then(Boolean, () => false),
    "containerd",
    60_000,
  );
  await run("ctr", [...address, "--namespace=k8s.io", "images", "import", image.file], options);
  let server = startServer();
  const isUp = () => kubectl("get", "--raw=/readyz").then(Boolean, () => false);
  await waitFor(isUp, "the API server", 60_000);
  start("kubelet", {
    config: place("kubelet.yaml"),
    kubeconfig: KUBECONFIG,
    "root-dir": place("kubelet"),
    "cert-dir": place("certificates"),
    "hostname-override": "node",
  });
  const isThere = () => kubectl("get", "node", "node").then(Boolean, () => false);
  await waitFor(isThere, "the node", 60_000);
  return {
    env: { KUBECONFIG },
    image: image.name,
    pod: { spec: { nodeName: "node", hostNetwork: true } },
    kubectl,
    pods: async () => (await kubectl("get", "pods", "--output=name")).split("\n").filter(Boolean),
    killServer: async () => {
      await killChild(server);
      return async () => {
        server = startServer();
        await waitFor(isUp, "the API server", 60_000);
      };
    },
    async [Symbol.asyncDispose]() {
      await kubectl("delete", "pods", "--all", "--grace-period=1", "--timeout=60s");
      for (const child of started.reverse()) await killChild(child);
      await folder.remove();
    },
  };
}

/** An image of the machine's own programs, which holds pods' networks too. */
async function packImage(folder: TemporaryFolder) {
  const name = "localhost/agents:1";
  const layer = await packRoot(folder);
  const digest = createHash("sha256")
    .update(await readFile(layer))
    .digest("hex");
  const place = join(folder.path, "image");
  await mkdir(place);
  const config = { Cmd: ["/bin/sleep", "infinity"], Env: ["PATH=/bin"] };
  const rootfs = { type: "layers", diff_ids: [`sha256:${digest}`] };
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  const written = { architecture, os: "linux", config, rootfs };
  await writeFile(join(place, "config.json"), JSON.stringify(written));
  const manifest = [{ Config: "config.json", RepoTags: [name], Layers: ["root.tar"] }];
  await writeFile(join(place, "manifest.json"), JSON.stringify(manifest));
  const file = `${place}.tar`;
  await run("tar", [
    "-cf",
    file,
    "-C",
    place,
    "config.json",
    "manifest.json",
    "-C",
    folder.path,
    "root.tar",
  ]);
  return { name, file };
}

const kubeconfig = (port: number): string => `apiVersion: v1
kind: Config
clusters:
- { name: tests, cluster: { server: "https://127.0.0.1:${port}", insecure-skip-tls-verify: true } }
users:
- { name: tests, user: { token: ${token} } }
contexts:
- { name: tests, context: { cluster: tests, user: tests } }
current-context: tests
`;

const kubeletConfiguration = (
  place: (name: string) => string,
  port: number,
): string => `apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
port: ${port}
healthzPort: 0
authentication: { anonymous: { enabled: true }, webhook: { enabled: false } }
authorization: { mode: AlwaysAllow }
containerRuntimeEndpoint: unix://${place("containerd.sock")}
podLogsDir: ${place("logs")}
cgroupDriver: cgroupfs
cgroupsPerQOS: false
enforceNodeAllocatable: []
failCgroupV1: false
failSwapOn: false
makeIPTablesUtilChains: false
localStorageCapacityIsolation: false
resolvConf: ""
evictionHard: { memory.available: "0%", nodefs.available: "0%", imagefs.available: "0%", nodefs.inodesFree: "0%" }
imageGCHighThresholdPercent: 100
imageGCLowThresholdPercent: 99
featureGates: { KubeletInUserNamespace: true }
`;

const containerdConfiguration = (place: (name: string) => string): string => `version = 2
root = "${place("containerd")}"
state = "${place("state")}"
[grpc]
address = "${place("containerd.sock")}"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "localhost/agents:1"
disable_apparmor = true
restrict_oom_score_adj = true
[plugins."io.containerd.grpc.v1.cri".containerd]
snapshotter = "native"
`;

/** The kubelet changes settings of the kernel: it gets copies of them. */
const withOwnSettings = (folder: string): readonly string[] => [
  ...["unshare", "--mount", "/bin/sh", "-c"],
  `cd /proc/sys && for name in vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops kernel/keys/root_maxkeys kernel/keys/root_maxbytes; do
  copy="${folder}/$(basename $name)"; cat $name > $copy && mount --bind $copy $name || exit 1
done; exec "$0" "$@"`,
];
