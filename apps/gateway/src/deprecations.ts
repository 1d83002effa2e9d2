import {
  checkModels,
  checkSentence,
  type FeedWarning,
  feedWarnings,
  type ModelCheck,
  readFeed,
} from "@proj/deprecation-feed/consumer";
import type { ServiceLog } from "@proj/gateway-core";
import { type GatewayConfig, maskUrl } from "@proj/gateway-protocol";

export interface DeprecationCheck {
  readonly checks: readonly ModelCheck[];
  /** Why the feed may not know that a model has been shut down. */
  readonly warnings: readonly FeedWarning[];
}

/**
 * What a feed knows about the models of a configuration, by the names sent upstream.
 * @throws FeedError the feed cannot be read
 */
export async function checkDeprecations(
  config: GatewayConfig,
  feed: string,
  signal?: AbortSignal,
): Promise<DeprecationCheck> {
  const models = Object.entries(config.llm_routes).map(
    ([key, route]) => route.upstream_model ?? key,
  );
  const { warn_days: withinDays } = config.deprecations;
  const read = await readFeed(feed, { signal });
  return { checks: checkModels(models, read, { withinDays }), warnings: feedWarnings(read) };
}

/**
 * If the configuration names a feed, warns about models that end soon. A feed that cannot be read is only a warning.
 * @param onWarning receives each warning
 */
export async function warnOfDeprecations(
  config: GatewayConfig,
  log: ServiceLog,
  onWarning: (message: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { feed } = config.deprecations;
  if (feed === null) return;
  const warn = (message: string): void => {
    console.error(`warning  ${message}`);
    log.warn({ feed: maskUrl(feed) }, message);
    onWarning(message);
  };
  try {
    const { checks, warnings } = await checkDeprecations(config, feed, signal);
    for (const checked of checks) if (checked.verdict === "ending") warn(checkSentence(checked));
    for (const { message } of warnings) warn(`deprecations.feed: ${message}`);
  } catch (error) {
    if (signal.aborted) return;
    warn(`deprecations.feed cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
