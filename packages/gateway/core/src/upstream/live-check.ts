import { closestNames, maskUrlsInText, type RouteConfig } from "@proj/gateway-protocol";
import type { Endpoint, TokenCounts } from "@proj/model-apis";
import { namesModel, readPlainAnswer, requestPath } from "@proj/model-apis";
import { gapSentence, priceGaps } from "../prices/price-gaps.ts";
import { type LiveQuestion, liveQuestion } from "./live-question.ts";
import { createRequestHeaderRules } from "./request-headers.ts";
import { parseTargetUrl } from "./target-url.ts";

export interface LiveCheck {
  /** The key of the route. */
  readonly route: string;
  /** One of the route's upstreams, without a query. */
  readonly upstream: string;
  /** What failed and what to do about it; null if it returned a token. Contains no secret. */
  readonly problem: string | null;
  /** What the answer's usage has that the route's prices do not cover, in sentences. */
  readonly unpriced: readonly string[];
}

export interface LiveCheckOptions {
  readonly signal?: AbortSignal;
  /** Per request. @default 20000 */
  readonly timeoutMs?: number;
}

/** Asks every upstream of every route for its models and, in an API that the route serves, for one token. */
export async function checkLive(
  routes: Readonly<Record<string, RouteConfig>>,
  options: LiveCheckOptions = {},
): Promise<LiveCheck[]> {
  const checks = Object.entries(routes).flatMap(([key, route]) =>
    route.base_urls.map(async (baseUrl) => ({
      route: key,
      upstream: parseTargetUrl(baseUrl).name,
      ...unpricedOf(key, route, await ask(baseUrl, route, route.upstream_model ?? key, options)),
    })),
  );
  return Promise.all(checks);
}

function ask(
  baseUrl: string,
  route: RouteConfig,
  model: string,
  options: LiveCheckOptions,
): Promise<Asked> {
  const question = liveQuestion(route);
  return problemOf(new Upstream(baseUrl, route, question.endpoint, options), question, model);
}

interface Asked {
  readonly problem: string | null;
  /** The usage of its answer; null if it gave none. */
  readonly tokens: TokenCounts | null;
}

function unpricedOf(
  key: string,
  { prices }: RouteConfig,
  { problem, tokens }: Asked,
): Pick<LiveCheck, "problem" | "unpriced"> {
  const gaps = tokens === null ? [] : priceGaps(prices, Date.now(), tokens);
  return { problem, unpriced: gaps.map((gap) => gapSentence(key, gap)) };
}

interface Reply {
  readonly status: number;
  readonly bytes: Uint8Array;
  /** Null if it was not JSON. */
  readonly body: unknown;
}

class Upstream {
  readonly name: string;
  readonly #base: URL;
  readonly #route: RouteConfig;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #options: LiveCheckOptions;

  constructor(baseUrl: string, route: RouteConfig, endpoint: Endpoint, options: LiveCheckOptions) {
    this.name = parseTargetUrl(baseUrl).name;
    this.#base = new URL(baseUrl);
    this.#route = route;
    const named = createRequestHeaderRules(route, endpoint)({ accept: "application/json" }, null);
    this.#headers = Object.fromEntries(
      named.flatMap((name, at) => (at % 2 === 0 ? [[name, named[at + 1] ?? ""]] : [])),
    );
    this.#options = options;
  }

  /** @throws Error the upstream cannot be reached, or does not answer in time */
  async ask(path: string, body?: Readonly<Record<string, unknown>>): Promise<Reply> {
    const { signal, timeoutMs = 20_000 } = this.#options;
    const late = AbortSignal.timeout(timeoutMs);
    const asked =
      body === undefined
        ? { method: "GET", headers: this.#headers }
        : {
            method: "POST",
            headers: { ...this.#headers, "content-type": "application/json" },
            body: JSON.stringify({ ...body, ...this.#route.extra_body }),
          };
    const response = await fetch(`${this.name}${path}${this.#base.search}`, {
      ...asked,
      redirect: "manual",
      signal: signal === undefined ? late : AbortSignal.any([signal, late]),
    });
    const bytes = await response.bytes();
    return { status: response.status, bytes, body: parsed(new TextDecoder().decode(bytes)) };
  }

  /** The upstream's description of an error, without the key that was sent. */
  said({ body }: Reply): string {
    const error = member(body, "error");
    const message = [member(error, "message"), error, member(body, "message")].find(
      (text) => typeof text === "string",
    );
    if (message === undefined) return "";
    const { api_key } = this.#route;
    const shown = api_key === null ? message : message.replaceAll(api_key, "***");
    return `: ${maskUrlsInText(shown).slice(0, 200)}`;
  }
}

async function problemOf(
  upstream: Upstream,
  { endpoint, bodies }: LiveQuestion,
  model: string,
): Promise<Asked> {
  const path = requestPath(endpoint, { model, stream: false });
  const named = namesModel(endpoint) ? {} : { model };
  let listed: Reply;
  let answered: Reply;
  try {
    listed = await upstream.ask("/models");
    if (isRefusal(listed)) return failed(refusal(upstream, "/models", listed));
    answered = await tokenOf(upstream, path, bodies, named);
  } catch (error) {
    return failed(unreachable(error));
  }
  if (answered.status === 200) {
    const facts = readPlainAnswer(answered.bytes, endpoint.readFacts, false);
    const { no_answer } = facts;
    const problem = no_answer === null ? null : `${path} answers 200, but ${no_answer}`;
    return { problem, tokens: facts };
  }
  if (isRefusal(answered)) return failed(refusal(upstream, path, answered));
  const models = modelsOf(listed.body);
  if (models.length > 0 && !models.includes(model)) return failed(unknownModel(model, models));
  const said = `${path} answers ${answered.status}${upstream.said(answered)}`;
  if (answered.status !== 404) return failed(said);
  return failed(
    listed.status === 404
      ? `${said}. /models is not there either: base_url should end in the version path, such as /v1`
      : `${said}. The upstream has no model '${model}'; upstream_model names it where the route's key does not`,
  );
}

const failed = (problem: string): Asked => ({ problem, tokens: null });

/** Requests one token; in another form if the upstream names a member of that form. */
async function tokenOf(
  upstream: Upstream,
  path: string,
  [body, ...others]: LiveQuestion["bodies"],
  named: { readonly model?: string },
): Promise<Reply> {
  const reply = await upstream.ask(path, { ...named, ...body });
  if (reply.status !== 400) return reply;
  const said = upstream.said(reply);
  const other = others.find((form) =>
    Object.keys(form).some((name) => !Object.hasOwn(body, name) && said.includes(name)),
  );
  return other === undefined ? reply : upstream.ask(path, { ...named, ...other });
}

const isRefusal = ({ status }: Reply): boolean => status === 401 || status === 403;

const refusal = (upstream: Upstream, path: string, reply: Reply): string =>
  `${path} answers ${reply.status}${upstream.said(reply)}. The route's api_key is missing or wrong`;

function unknownModel(model: string, models: readonly string[]): string {
  const close = closestNames(model, models);
  const meant =
    close.length > 0
      ? `did you mean ${close.join(" or ")}?`
      : `it has ${models.slice(0, 5).join(", ")}${models.length > 5 ? ", …" : ""}`;
  return `the upstream has no model '${model}' (upstream_model, or the route's key); ${meant}`;
}

function unreachable(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") return "does not answer in time";
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = member(cause, "code");
  if (code === "ECONNREFUSED") return "cannot be reached: nothing listens there";
  if (code === "ENOTFOUND") return "cannot be reached: the host does not exist";
  return `cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`;
}

function modelsOf(body: unknown): string[] {
  const data = member(body, "data");
  if (!Array.isArray(data)) return [];
  return data.map((item) => member(item, "id")).filter((id) => typeof id === "string");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
