import { sessionKey } from "@proj/gateway-protocol";
import {
  chatCompletion,
  chatStream,
  halvedAnswer,
  startDemoUpstream,
  startFaultyUpstream,
} from "@proj/test-kit";
import { isLeftOutWithoutChromium, watchBrowser } from "@proj/test-kit/chromium";
import { describe, expect, test } from "vitest";
import { violationsInBoth } from "./demo-console.ts";
import { startGateway } from "./start-gateway.ts";

const isSkipped = isLeftOutWithoutChromium("the gateway's console in a browser");
const chat = (model: string, content = "What is 19 + 23?") => ({
  ...{ model, messages: [{ role: "user", content }] },
});

describe.skipIf(isSkipped)("the gateway's console in Chromium", () => {
  test("asks for a key, and a session's key opens only that session", async () => {
    await using upstream = await startDemoUpstream();
    const secret = "a secret that is long enough for a key";
    await using gateway = await startGateway({
      llm_routes: { demo: { base_url: upstream.url } },
      auth: { api_keys: ["all"], session_secret: secret },
    });
    const headers = { authorization: "Bearer all" };
    const again = chat("demo", "This is another conversation, and it is long: what is 20 + 23?");
    for (const request of [chat("demo"), again])
      await (await gateway.post("/v1/sessions/mine/chat/completions", request, headers)).text();
    await using browser = await watchBrowser(`${gateway.url}/console`);
    const page = await browser.open("#/sessions");
    const enter = async (key: string): Promise<void> => {
      await page.getByLabel("Key").fill(key);
      await page.getByRole("button", { name: "Open" }).click();
    };
    await page.getByRole("heading", { name: "Enter a key" }).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    await enter("wrong");
    await page.getByRole("heading", { name: "Enter a key" }).waitFor();
    await enter("all");
    await page.getByRole("link", { name: "mine" }).waitFor();

    const own = await browser.open("#/sessions/mine");
    await own.getByLabel("Key").fill(sessionKey(secret, "mine"));
    // A session's key does not open whole histories.
    const refused = own.waitForResponse((answer) => answer.url().includes("/mine/steps"));
    await own.getByRole("button", { name: "Open" }).click();
    expect((await refused).status()).toBe(401);
    await own.locator("article", { hasText: "19 + 23" }).waitFor();
    await own.locator("article", { hasText: "20 + 23" }).waitFor();
    expect(await own.getByLabel("Key").count()).toBe(0);
  });

  test("makes the first call while nothing is recorded", async () => {
    await using upstream = await startDemoUpstream();
    await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
    await using browser = await watchBrowser(`${gateway.url}/console`);
    const page = await browser.open("#/sessions");
    await page.getByText(`curl -s '${gateway.url}/v1/sessions/first/chat/completions'`).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    await page.getByLabel("A message to the model").fill("What is 19 + 23?");
    await page.keyboard.press("Enter");
    await page.locator("article", { hasText: "19 + 23" }).waitFor();
    expect(new URL(page.url()).hash).toBe("#/sessions/first");
    expect(browser.complaints).toEqual([]);
  });

  test("shows an answer as it streams, what the session may still use, and its close", async () => {
    const { answer, goOn } = halvedAnswer();
    await using upstream = await startFaultyUpstream(answer);
    const prices = [{ input: 2, output: 10 }];
    await using gateway = await startGateway({
      llm_routes: { demo: { base_url: upstream.url, prices } },
      ...{ max_steps: 5, max_tokens: 10_000, max_cost_usd: 1 },
    });
    await using browser = await watchBrowser(`${gateway.url}/console`);
    const answering = gateway.post("/v1/sessions/s/chat/completions", {
      ...chat("demo"),
      stream: true,
    });
    const page = await browser.open("#/sessions/s");
    await page.getByRole("region", { name: "Running" }).getByText("So far").waitFor();
    await page.getByText("1 in flight").waitFor();
    expect(await page.getByText("Nothing is recorded").count()).toBe(0);
    await page.getByText("1 of 5 steps").waitFor();
    await page.getByText("of 10K tokens used").waitFor();
    await page.getByText("of $1.00 spent").waitFor();
    const list = await browser.open("#/sessions");
    await list.getByRole("row", { name: /1 in flight/ }).waitFor();
    await list.context().close();
    goOn();
    await (await answering).text();
    await page.locator("article", { hasText: "So far, and further." }).waitFor();
    await page.getByRole("region", { name: "Running" }).waitFor({ state: "detached" });
    await (await gateway.post("/v1/sessions/s/close?wait=10", "")).text();
    await page.getByText(/^closed.*rows/).waitFor();
    const after = await browser.open("#/sessions?q=status:closed");
    await after.getByRole("cell", { name: "1 of 5" }).waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test("shows a running answer below the last step", async () => {
    const goOn = Promise.withResolvers<void>();
    await using upstream = await startFaultyUpstream(async ({ body }, reply) => {
      if (!body.includes("again")) return void reply.json(chatCompletion({ content: "Once." }));
      await reply.startEvents();
      const [first, ...rest] = chatStream(chatCompletion({ content: "Twice." }));
      if (first !== undefined) await reply.write(first);
      await goOn.promise;
      for (const event of rest) await reply.write(event);
      await reply.end();
    });
    await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
    await (await gateway.post("/v1/sessions/s/chat/completions", chat("demo"))).text();
    const answering = gateway.post("/v1/sessions/s/chat/completions", {
      ...chat("demo", "And again?"),
      stream: true,
    });
    await using browser = await watchBrowser(`${gateway.url}/console`);
    const page = await browser.open("#/sessions/s");
    const [last, running] = [
      page.getByRole("article", { name: "Step 1" }),
      page.getByRole("region", { name: "Running" }),
    ];
    await last.getByText("Once.").waitFor();
    await running.waitFor();
    const bottomOfLast = async (): Promise<number> => {
      const box = await last.boundingBox();
      return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
    };
    const top = async (): Promise<number> => (await running.boundingBox())?.y ?? 0;
    // The list takes heights as whole pixels.
    await expect.poll(async () => (await top()) - (await bottomOfLast())).toBeGreaterThan(-1);
    goOn.resolve();
    await (await answering).text();
    expect(browser.complaints).toEqual([]);
  });
});
