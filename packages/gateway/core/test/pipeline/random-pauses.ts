import { gatewayPaths } from "@proj/gateway-protocol";
import { chatCompletion, type FaultyUpstream, startFaultyUpstream } from "@proj/test-kit";
import type { TestGateway } from "../start-gateway.ts";

const { pauseRoute, resumeRoute } = gatewayPaths();

/** What the model server saw of one request. */
export interface ServedStep {
  /** The weights while it had the request; several if they changed meanwhile. */
  readonly versions: readonly string[];
}

export interface VersionedUpstream {
  readonly upstream: FaultyUpstream;
  /** Keyed by the content of each request. */
  readonly served: ReadonlyMap<string, ServedStep>;
  readonly inFlight: number;
  /** Changes the weights and returns their new version. */
  changeWeights(): string;
}

/** A model server whose weights the test changes, and which takes a moment for each answer. */
export async function startVersionedUpstream(): Promise<VersionedUpstream> {
  let version = 0;
  const inFlight = new Map<string, { versions: string[] }>();
  const served = new Map<string, ServedStep>();
  const upstream = await startFaultyUpstream(async ({ body }, reply) => {
    const content = contentOf(body.toString());
    const step = { versions: [`v${version}`] };
    inFlight.set(content, step);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
    inFlight.delete(content);
    served.set(content, step);
    await reply.json(chatCompletion());
  });
  return {
    upstream,
    served,
    get inFlight() {
      return inFlight.size;
    },
    changeWeights(): string {
      version += 1;
      for (const step of inFlight.values()) step.versions.push(`v${version}`);
      return `v${version}`;
    },
  };
}

const contentOf = (body: string): string => /"content":"([^"]*)"/.exec(body)?.[1] ?? "";

/** Callers that send requests until the returned function is called. */
export function keepAsking(gateways: readonly TestGateway[], callers: number): () => Promise<void> {
  let isOver = false;
  const work = Array.from({ length: callers }, async (_, caller) => {
    const gateway = gateways[caller % gateways.length];
    for (let at = 0; !isOver && gateway !== undefined; at += 1) {
      const messages = [{ role: "user", content: `${caller} ${at}` }];
      const path = `/v1/sessions/caller-${caller}/chat/completions`;
      const response = await gateway.post(path, { model: "policy", messages });
      await response.arrayBuffer();
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(work);
  };
}

/**
 * Pauses once, and changes the weights if the pause drained.
 * @returns how many requests the model server had then
 */
export async function updateWeights(
  gateway: TestGateway,
  server: VersionedUpstream,
): Promise<number> {
  const post = async (path: string, body: object): Promise<void> => {
    const response = await gateway.post(path, body);
    if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
    await response.arrayBuffer();
  };
  const drains = Math.random() < 0.7;
  await post(pauseRoute("policy"), { mode: drains ? "drain" : "hold" });
  if (!drains) {
    await post(resumeRoute("policy"), {});
    return 0;
  }
  const caught = server.inFlight;
  const weight_version = server.changeWeights();
  await post(resumeRoute("policy"), { weight_version });
  return caught;
}
