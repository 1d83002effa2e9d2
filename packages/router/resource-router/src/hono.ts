import { webRequest } from "./fetch/fetch-exchange.ts";
import { createFetchRouter, type FetchRouterOptions } from "./fetch/fetch-router.ts";
import type { Context } from "./operation/context.ts";
import type { Group } from "./routing/group.ts";
import type { Resource } from "./routing/resource.ts";

/** What is used of Hono's context. */
interface HonoLike {
  readonly req: { readonly raw: Request };
  readonly newResponse: (body: Response["body"], head: Response) => Response;
}

/** Middleware of Hono. Paths are whole ones: put what is below `/api` into `group("api", …)`. */
export interface HonoResources {
  (context: HonoLike, next: () => Promise<void>): Promise<Response | undefined>;
  /** For `app.notFound`: 405 with `Allow` on the path of a resource, 404 elsewhere. */
  readonly refuse: (context: HonoLike) => Promise<Response>;
}

const contexts: WeakMap<Request, HonoLike> = new WeakMap();

/** @throws Error two members have the same path; RangeError a limit is not a positive whole number */
export function honoResources(
  members: readonly (Resource | Group)[],
  options?: FetchRouterOptions,
): HonoResources {
  const router = createFetchRouter(members, options);
  const middleware = async (
    context: HonoLike,
    next: () => Promise<void>,
  ): Promise<Response | undefined> => {
    contexts.set(context.req.raw, context);
    const answer = router.handle(context.req.raw);
    if (answer !== null) return withHeaders(context, await answer);
    await next();
    return undefined;
  };
  return Object.assign(middleware, {
    refuse: async (context: HonoLike) => withHeaders(context, await router.fetch(context.req.raw)),
  });
}

/** With the headers that were set before. */
const withHeaders = (context: HonoLike, answer: Response): Response =>
  context.newResponse(answer.body, answer);

/** Hono's own context of a context, with its variables and bindings. */
export function honoContext<Own extends HonoLike>(context: Context): Own {
  return contexts.get(webRequest(context)) as Own;
}
