import { loadConfig, maskedConfig } from "@proj/gateway-protocol";
import { stringify } from "yaml";

/** Prints what would run, every default filled in and every secret masked. @returns the exit code */
export function check(path: string): number {
  const config = loadConfig(path);
  const routes = Object.keys(config.llm_routes).length;
  process.stdout.write(stringify(maskedConfig(config)));
  console.error(`${path} is valid: ${routes} ${routes === 1 ? "route" : "routes"}.`);
  return 0;
}
