import {
  checkModels,
  checkSentence,
  type ModelCheck,
  readFeed,
} from "@proj/deprecation-feed/consumer";
import type { ServiceLog } from "@proj/gateway-core";
import { type GatewayConfig, maskUrl } from "@proj/gateway-protocol";

/**
 * What a feed knows of the models of a configuration: of route keys and of the names sent upstream.
 * @throws FeedError the feed cannot be read
 */
export async function checkDeprecations(
  config: GatewayConfig,
  feed: string,
  signal?: AbortSignal,
): Promise<readonly ModelCheck[]> {
  const models = Object.entries(config.llm_routes).map(
    ([key, route]) => route.upstream_model ?? key,
  );
  const { warn_days: withinDays } = config.deprecations;
  return checkModels(models, await readFeed(feed, { signal }), { withinDays });
}

/** Where the configuration names a feed: says which models end soon. A feed that fails is told, no more. */
export async function warnOfDeprecations(
  config: GatewayConfig,
  log: ServiceLog,
  signal: AbortSignal,
): Promise<void> {
  const { feed } = config.deprecations;
  if (feed === null) return;
  const warn = (message: string): void => {
    console.error(`warning  ${message}`);
    log.warn({ feed: maskUrl(feed) }, message);
  };
  try {
    for (const checked of await checkDeprecations(config, feed, signal)) {
      if (checked.verdict === "ending") warn(checkSentence(checked));
    }
  } catch (error) {
    if (signal.aborted) return;
    warn(`deprecations.feed cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
