import type { KeptHistory, RouteConfig } from "@proj/gateway-protocol";
import type { ReferenceKind } from "@proj/model-apis";

const kinds: Readonly<Record<ReferenceKind, KeptHistory>> = {
  previous_response_id: "responses",
  conversation: "conversations",
  thread: "threads",
};

/** The services that keep histories, by the ends of their hosts' names. */
const services: readonly (readonly [RegExp, readonly KeptHistory[]])[] = [
  [/(?:^|\.)(?:openai\.com|azure\.com|azure\.us|azure\.cn)$/, ["responses", "conversations"]],
  [/(?:^|\.)anthropic\.com$/, ["threads"]],
];

/** Whether the route's upstream keeps what a request of that kind names. */
export const keepsFor = (route: RouteConfig, by: ReferenceKind): boolean =>
  (route.keeps ?? keptByDefault(route)).includes(kinds[by]);

function keptByDefault({ base_urls }: RouteConfig): readonly KeptHistory[] {
  const hosts = base_urls.map((url) => new URL(url).hostname);
  const service = services.find(([name]) => hosts.every((host) => name.test(host)));
  return service?.[1] ?? [];
}
