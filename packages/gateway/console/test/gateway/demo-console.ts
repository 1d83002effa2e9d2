import { chatCompletion, startDemoUpstream, startFaultyUpstream } from "@proj/test-kit";
import {
  accessibilityViolations,
  type WatchedBrowser,
  watchBrowser,
} from "@proj/test-kit/chromium";
import { titleRule } from "./demo-agents.ts";
import { runDemoJob } from "./demo-job.ts";
import { startGateway, type TestGateway } from "./start-gateway.ts";

export type Page = Awaited<ReturnType<WatchedBrowser["open"]>>;

/** A gateway that has run a job of 48 simulations, `nightly`, and its console in a browser. */
export interface DemoConsole extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly browser: WatchedBrowser;
}

export async function startDemoConsole(): Promise<DemoConsole> {
  const upstream = await startDemoUpstream();
  const failed = new Set<string>();
  const flaky = await startFaultyUpstream(({ body }, reply) => {
    const request = body.toString();
    if (failed.has(request)) return void reply.json(chatCompletion({ content: "At last: 42." }));
    failed.add(request);
    return void reply.json({ error: { message: "busy" } }, { status: 503 });
  });
  const demo = { base_url: upstream.url, max_concurrency: 7 };
  const llm_routes = {
    demo: {
      ...{ ...demo, record_request_headers: ["x-gateway-agent"], record_headers: ["content-type"] },
      side_calls: { route: "aside", when: [titleRule] },
    },
    aside: demo,
    quiet: demo,
    flaky: { base_url: flaky.url, retries: 0 },
    away: { base_urls: ["http://127.0.0.1:9/v1"], retries: 0 },
  };
  const notices = () => ["The model 'demo' ends on 2027-01-01."];
  const gateway = await startGateway({ llm_routes }, { notices });
  await runDemoJob(gateway, "nightly", 48);
  const browser = await watchBrowser(`${gateway.url}/console`);
  return {
    gateway,
    browser,
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]();
      await gateway[Symbol.asyncDispose]();
      await flaky[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

/** What axe finds in both colour schemes. */
export async function violationsInBoth(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await accessibilityViolations(page)).map((rule) => `${colorScheme}: ${rule}`));
  }
  return found;
}

/** Chooses one of a session's actions from the menu. */
export async function choose(page: Page, button: string): Promise<void> {
  await page.getByText("Actions").click();
  await page.getByRole("button", { name: button }).click();
}
