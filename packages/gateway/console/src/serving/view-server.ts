import { hash, timingSafeEqual } from "node:crypto";
import { createServer, type Server } from "node:http";
import { noReview, QueryError, type ReviewQueue } from "@proj/session-store/answers";
import { browsed, decoded, type ViewedStore } from "./browsed.ts";
import { consolePath, servePage } from "./console-page.ts";
import { readJson } from "./read-json.ts";

export interface ViewOptions {
  /** Asked for before anything of the storage is shown; null: it is shown to all who reach the server. @default null */
  readonly key?: string | null;
  /** People score rollouts at `#/review/JOB`. @default none */
  readonly reviews?: ReviewQueue | null;
}

const reviewPath = /^\/v1\/jobs\/([^/]+)\/review$/;

/**
 * Serves the console over a storage, or with null only its review. Let it listen on loopback only, with a key where
 * others can reach that: agents, for example.
 * @returns a server that is not listening yet
 */
export function createViewServer(
  store: ViewedStore | null,
  { key = null, reviews = null }: ViewOptions = {},
): Server {
  return createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const send = (
      status: number,
      body: object | null,
      headers: Record<string, string> = {},
    ): void => {
      response
        .writeHead(status, {
          "content-type": "application/json",
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
          ...headers,
        })
        .end(request.method === "HEAD" ? undefined : JSON.stringify(body));
    };
    const refuse = (status: number, message: string): void => send(status, { error: { message } });
    const answer = async (): Promise<void> => {
      // Any website could point a name of its own to this address and read the answers.
      if (!isLoopback(request.headers.host))
        return refuse(403, "Open this address as localhost or 127.0.0.1.");
      const [, reviewed] = (reviews && reviewPath.exec(url.pathname)) ?? [];
      const isAnswer = reviewed !== undefined && request.method === "POST";
      if (!isAnswer && request.method !== "GET" && request.method !== "HEAD")
        return refuse(405, "This console is read-only.");
      if (url.pathname === "/") return send(302, null, { location: consolePath });
      if (await servePage(url.pathname, request, response)) return;
      if (key !== null && !isKey(request.headers.authorization, key))
        return refuse(401, "Enter the key that was printed when this console was started.");
      if (reviews !== null && reviewed !== undefined) {
        const job_id = decoded(reviewed);
        const body = isAnswer
          ? await reviews.submit(job_id, await readJson(request))
          : await reviews.next(job_id, url.searchParams.get("person") ?? "");
        return body === null ? refuse(404, noReview(job_id)) : send(200, body);
      }
      if (store === null)
        return url.pathname === "/readyz"
          ? send(200, { base_session_path: "/v1/sessions" })
          : refuse(404, "This console only has its review.");
      // 204 tells a follower that there is nothing to follow, now or later.
      if (url.pathname.endsWith("/live")) return void response.writeHead(204).end();
      const body = await browsed(store, url.pathname, url.searchParams);
      if (body === null) return refuse(404, "There is nothing here by that name.");
      send(200, body);
    };
    answer().catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else if (error instanceof QueryError) refuse(400, error.message);
      else refuse(503, error instanceof Error ? error.message : "The storage cannot be read.");
    });
  });
}

/** Takes as long whatever is given. */
const isKey = (given: string | undefined, key: string): boolean =>
  timingSafeEqual(hash("sha256", given ?? "", "buffer"), hash("sha256", `Bearer ${key}`, "buffer"));

const isLoopback = (host: string | undefined): boolean =>
  host !== undefined && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i.test(host);
