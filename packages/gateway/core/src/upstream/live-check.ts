import { closestNames, type RouteConfig } from "@proj/gateway-protocol";
import {
  type Endpoint,
  endpointsByName,
  namesModel,
  readPlainAnswer,
  requestPath,
  type TokenCounts,
} from "@proj/model-apis";
import { gapSentence, priceGaps } from "../prices/price-gaps.ts";
import {
  type LiveReply,
  LiveUpstream,
  type LiveUpstreamOptions,
  member,
  whyUnreachable,
} from "./live-upstream.ts";
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

/** Asks every upstream of every route for its models and, in an API that the route serves, for one token. */
export async function checkLive(
  routes: Readonly<Record<string, RouteConfig>>,
  options: LiveUpstreamOptions = {},
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
  options: LiveUpstreamOptions,
): Promise<Asked> {
  // Chat completions if the route serves them, else the first API that it names.
  const [first = "chat_completions"] = route.endpoints;
  const asked = route.endpoints.includes("chat_completions") ? "chat_completions" : first;
  const endpoint = endpointsByName[asked];
  return problemOf(new LiveUpstream(baseUrl, route, endpoint, options), endpoint, model);
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

async function problemOf(
  upstream: LiveUpstream,
  endpoint: Endpoint,
  model: string,
): Promise<Asked> {
  const path = requestPath(endpoint, { model, stream: false });
  const named = namesModel(endpoint) ? {} : { model };
  let listed: LiveReply;
  let answered: LiveReply;
  try {
    listed = await upstream.ask("/models");
    if (isRefusal(listed)) return failed(refusal(upstream, "/models", listed));
    answered = await tokenOf(upstream, path, endpoint.probes, named);
  } catch (error) {
    return failed(whyUnreachable(error));
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
  upstream: LiveUpstream,
  path: string,
  [body, ...others]: Endpoint["probes"],
  named: { readonly model?: string },
): Promise<LiveReply> {
  const reply = await upstream.ask(path, { ...named, ...body });
  if (reply.status !== 400) return reply;
  const said = upstream.said(reply);
  const other = others.find((form) =>
    Object.keys(form).some((name) => !Object.hasOwn(body, name) && said.includes(name)),
  );
  return other === undefined ? reply : upstream.ask(path, { ...named, ...other });
}

const isRefusal = ({ status }: LiveReply): boolean => status === 401 || status === 403;

const refusal = (upstream: LiveUpstream, path: string, reply: LiveReply): string =>
  `${path} answers ${reply.status}${upstream.said(reply)}. The route's api_key is missing or wrong`;

function unknownModel(model: string, models: readonly string[]): string {
  const close = closestNames(model, models);
  const meant =
    close.length > 0
      ? `did you mean ${close.join(" or ")}?`
      : `it has ${models.slice(0, 5).join(", ")}${models.length > 5 ? ", …" : ""}`;
  return `the upstream has no model '${model}' (upstream_model, or the route's key); ${meant}`;
}

function modelsOf(body: unknown): string[] {
  const data = member(body, "data");
  if (!Array.isArray(data)) return [];
  return data.map((item) => member(item, "id")).filter((id) => typeof id === "string");
}
