import { checkSentence } from "@proj/deprecation-feed/consumer";
import { loadConfig, maskedConfig } from "@proj/gateway-protocol";
import { stringify } from "yaml";
import { checkDeprecations } from "./deprecations.ts";

/**
 * Prints what would run, every default filled in and every secret masked, and what a feed knows of
 * its models.
 * @returns the exit code
 */
export async function check(path: string, feed: string | null): Promise<number> {
  const config = loadConfig(path);
  const routes = Object.keys(config.llm_routes).length;
  process.stdout.write(stringify(maskedConfig(config)));
  console.error(`${path} is valid: ${routes} ${routes === 1 ? "route" : "routes"}.`);
  if (feed === null) return 0;
  const checks = await checkDeprecations(config, feed);
  for (const checked of checks) console.error(checkSentence(checked));
  return checks.some(({ verdict }) => verdict === "ending") ? 1 : 0;
}
