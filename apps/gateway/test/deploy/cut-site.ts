import { startTcpProxy, type TcpProxy } from "@proj/test-kit";
import { model, Site, type SiteOptions } from "./site.ts";

export const body: object = { model, messages: [{ role: "user", content: "Hi" }] };
export const strict = "telemetry: { write_timeout_s: 1 }";
export const ids: readonly string[] = Array.from({ length: 12 }, (_, number) => `s-${number}`);
export const chatOf = (session_id: string): string => `/v1/sessions/${session_id}/chat/completions`;
export const codeOf = async (answer: Response): Promise<string> =>
  ((await answer.json()) as { error: { code: string } }).error.code;
export const statusOf = async (url: string): Promise<string> =>
  ((await (await fetch(`${url}/readyz`)).json()) as { status: string }).status;

interface CutSite extends AsyncDisposable {
  readonly site: Site;
  readonly wire: TcpProxy;
}

/** A site in which the first gateway, or both, reach the database through a connection that can be cut. */
export async function startCutSite(
  upstreamUrl: string,
  cuts: "first" | "both",
  { config = strict, startBalancer }: Pick<SiteOptions, "config" | "startBalancer"> = {},
): Promise<CutSite> {
  const server = new URL(process.env.TEST_DATABASE_URL ?? "");
  const wire = await startTcpProxy(Number(server.port));
  const byWire = (db_url: string): string => {
    const url = new URL(db_url);
    url.port = String(wire.port);
    return url.href;
  };
  const ways = cuts === "first" ? { firstDbUrl: byWire } : { everyDbUrl: byWire };
  const site = await Site.start({ upstreamUrl, config, startBalancer, ...ways });
  return {
    ...{ site, wire },
    [Symbol.asyncDispose]: async () => {
      await site[Symbol.asyncDispose]();
      await wire[Symbol.asyncDispose]();
    },
  };
}
