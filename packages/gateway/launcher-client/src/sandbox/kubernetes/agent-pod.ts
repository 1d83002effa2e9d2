import { z } from "zod";

const members = z.looseObject({});

const shape = z.strictObject({
  metadata: z
    .looseObject({ labels: members.optional(), annotations: members.optional() })
    .default({}),
  spec: z
    .looseObject({
      containers: z
        .array(
          z.looseObject({
            env: z.array(z.unknown()).default([]),
            volumeMounts: z.array(z.unknown()).default([]),
            resources: z
              .looseObject({ limits: members.optional(), requests: members.optional() })
              .optional(),
          }),
        )
        .min(1)
        .optional(),
      volumes: z.array(z.unknown()).default([]),
    })
    .default({ volumes: [] }),
});

type Members = Readonly<Record<string, unknown>>;

/** What a pod of agents has besides the agent, as Kubernetes names it; its first container is the agent's. */
export interface PodTemplate {
  readonly metadata: Members & {
    readonly labels?: Members | undefined;
    readonly annotations?: Members | undefined;
  };
  readonly spec: Members & {
    readonly volumes: readonly unknown[];
    readonly containers?: readonly ContainerTemplate[] | undefined;
  };
}

interface ContainerTemplate extends Members {
  readonly env: readonly unknown[];
  readonly volumeMounts: readonly unknown[];
  readonly resources?:
    | (Members & {
        readonly limits?: Members | undefined;
        readonly requests?: Members | undefined;
      })
    | undefined;
}

/**
 * The part of a pod that its users choose: `metadata` and `spec`, with any of their members.
 * @throws TypeError what is wrong with it
 */
export function readPodTemplate(value: unknown): PodTemplate {
  const read = shape.safeParse(value);
  if (!read.success) throw new TypeError(z.prettifyError(read.error));
  return read.data;
}

export interface AgentPod {
  readonly name: string;
  readonly session_id: string;
  readonly image: string;
  /** The folder of the attempt, which is as new in the pod. */
  readonly root: string;
  readonly memoryBytes: number | undefined;
  readonly timeLimitMs: number | undefined;
}

export const agentContainer = "agent";

/** Scripts in the pod find the attempt's folder by it. */
export const rootVariable = "LAUNCHER_ROOT";

/** How long images may be pulled and folders be carried, which the cluster counts as the pod's time. */
const aroundMs = 1_800_000;

/** The first process of a container gets no signal that it does not handle. It takes in processes that lost theirs. */
const holding = "trap 'exit 0' TERM\nwhile :; do sleep 3600 & wait $!; done";

const bare: ContainerTemplate = { env: [], volumeMounts: [] };

/** The pod as the cluster gets it. It holds no secret, because everybody with access to pods sees it. */
export function agentPod(pod: AgentPod, { metadata, spec }: PodTemplate): object {
  const { name, session_id, image, root, memoryBytes, timeLimitMs } = pod;
  const [own = bare, ...beside] = spec.containers ?? [];
  const { resources } = own;
  const memory = memoryBytes === undefined ? {} : { memory: String(memoryBytes) };
  const volume = "attempt";
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...metadata,
      name,
      labels: { ...metadata.labels, "app.kubernetes.io/managed-by": "launcher" },
      annotations: { ...metadata.annotations, "launcher/session": session_id },
    },
    spec: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      ...(timeLimitMs === undefined
        ? {}
        : { activeDeadlineSeconds: Math.ceil((timeLimitMs + aroundMs) / 1_000) }),
      ...spec,
      restartPolicy: "Never",
      terminationGracePeriodSeconds: 1,
      volumes: [...spec.volumes, { name: volume, emptyDir: {} }],
      containers: [
        {
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
          ...own,
          name: agentContainer,
          image,
          command: ["/bin/sh", "-c", holding],
          env: [...own.env, { name: rootVariable, value: root }],
          volumeMounts: [...own.volumeMounts, { name: volume, mountPath: root }],
          resources: {
            ...resources,
            limits: { ...resources?.limits, ...memory },
            requests: { ...resources?.requests, ...memory },
          },
        },
        ...beside,
      ],
    },
  };
}
