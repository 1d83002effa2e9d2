import type { IncomingMessage, ServerResponse } from "node:http";
import { nodeExchange } from "./node/node-exchange.ts";
import type { Context } from "./operation/context.ts";
import { createRouter, type RouterOptions } from "./router.ts";
import { type Group, group } from "./routing/group.ts";
import type { Resource } from "./routing/resource.ts";

type RequestLike = { readonly raw: IncomingMessage; readonly is404: boolean };
type Header = number | string | string[] | undefined;
type ReplyLike = { raw: ServerResponse; getHeaders(): Record<string, Header>; hijack(): unknown };
type OnRequest = (request: RequestLike, reply: ReplyLike, done: () => void) => void;
type AddHook = (name: "onRequest", hook: OnRequest) => unknown;
type FastifyLike = { log: { error(error: unknown): void }; addHook: AddHook };

/** A plugin of Fastify, for the whole instance that registers it. */
export type FastifyResources = (
  fastify: FastifyLike,
  options: { prefix?: string },
) => Promise<void>;

const requests: WeakMap<IncomingMessage, RequestLike> = new WeakMap();

/** Answers in `onRequest`, before Fastify reads a body: of its hooks, only those registered before run. */
export function fastifyResources(
  members: readonly (Resource | Group)[],
  options: RouterOptions = {},
): FastifyResources {
  const plugin: FastifyResources = async (fastify, { prefix = "" }) => {
    const all = prefix === "" ? members : [group(prefix.replace(/^\//, ""), members)];
    const router = createRouter(all, { onError: (error) => fastify.log.error(error), ...options });
    fastify.addHook("onRequest", (request, reply, next) => {
      const { raw } = request;
      if (router.match(raw.method ?? "", raw.url ?? "") === null) return next();
      requests.set(raw, request);
      for (const [name, value = ""] of Object.entries(reply.getHeaders()))
        reply.raw.setHeader(name, value);
      const isAnswered = router.handle(raw, reply.raw);
      if (!isAnswered && !request.is404) return next();
      if (!isAnswered) router.refuse(raw, reply.raw);
      reply.hijack();
    });
  };
  // Otherwise the hook would not see requests for which Fastify has no route.
  return Object.assign(plugin, { [Symbol.for("skip-override")]: true });
}

/** Fastify's request of a context, with its decorations. */
export function fastifyRequest<Own extends RequestLike>(context: Context): Own {
  return requests.get(nodeExchange(context).request) as Own;
}
