import { readFile } from "node:fs/promises";
import { sessionKey } from "@proj/gateway-protocol";
import { chatCompletion, chatStream, startDemoUpstream, startFaultyUpstream } from "@proj/test-kit";
import {
  accessibilityViolations,
  isLeftOutWithoutChromium,
  watchBrowser,
} from "@proj/test-kit/chromium";
import { describe, expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";

const isSkipped = isLeftOutWithoutChromium("the gateway's console in a browser");
const chat = (model: string, content = "What is 19 + 23?") => ({
  ...{ model, messages: [{ role: "user", content }] },
});

describe.skipIf(isSkipped)("the gateway's console in Chromium", () => {
  test("the overview shows routes and storage, and tries, pauses and resumes a route", async () => {
    await using upstream = await startDemoUpstream();
    const llm_routes = {
      demo: { base_url: upstream.url, max_concurrency: 7 },
      away: { base_urls: ["http://127.0.0.1:9/v1"], retries: 0 },
    };
    const notices = () => ["The model 'demo' ends on 2027-01-01."];
    await using gateway = await startGateway({ llm_routes }, { notices });
    for (const model of ["demo", "away"])
      await (await gateway.post("/v1/sessions/s/chat/completions", chat(model))).text();
    await using browser = await watchBrowser(`${gateway.url}/console`);
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await browser.open("#/overview", { colorScheme });
      await page.locator(".chart canvas").nth(2).waitFor();
      for (const width of [390, 820, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        // The charts follow the window in its next frame.
        const scrollWidth = () => page.evaluate("document.documentElement.scrollWidth");
        await expect.poll(scrollWidth).toBe(width);
      }
      expect(await accessibilityViolations(page)).toEqual([]);
      await page.context().close();
    }
    const page = await browser.open("", { viewport: { width: 1440, height: 900 } });
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByText("The model 'demo' ends on 2027-01-01.").waitFor();
    const demo = page.getByRole("row", { name: /^demo/ });
    await demo.getByText("0 of 7 in flight").waitFor();
    await page.getByRole("row", { name: /^away/ }).getByText("1, 1 failed").waitFor();
    await page.getByRole("region", { name: "Storage" }).getByText("a file (SQLite)").waitFor();

    await demo.getByRole("link", { name: "demo" }).click();
    await page.getByRole("button", { name: "Ask" }).click();
    await page.getByRole("form", { name: "Try the route" }).getByText("19 + 23 = 42").waitFor();

    await page.getByRole("button", { name: "Pause …" }).click();
    const dialog = page.getByRole("dialog", { name: "Pause demo" });
    await dialog.getByText("until somebody resumes it").waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByRole("radio", { name: /refuse/ }).check();
    await dialog.getByRole("button", { name: "Pause demo" }).click();
    await dialog.getByText("It is paused").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await demo.getByText("paused (refuse)").waitFor();
    await page.getByRole("button", { name: "Resume …" }).click();
    await page.getByRole("searchbox").fill("step-42");
    await page.getByRole("button", { name: "Resume demo" }).click();
    await page.getByText("It forwards again").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await demo.getByText("weights step-42").waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test("asks for a key, and a session key opens only its own session", async () => {
    await using upstream = await startDemoUpstream();
    const secret = "a secret that is long enough for a key";
    await using gateway = await startGateway({
      llm_routes: { demo: { base_url: upstream.url } },
      auth: { api_keys: ["all"], session_secret: secret },
    });
    const headers = { authorization: "Bearer all" };
    await (await gateway.post("/v1/sessions/mine/chat/completions", chat("demo"), headers)).text();
    await using browser = await watchBrowser(`${gateway.url}/console`);
    const page = await browser.open("#/sessions");
    const enter = async (key: string): Promise<void> => {
      await page.getByLabel("Key").fill(key);
      await page.getByRole("button", { name: "Open" }).click();
    };
    await page.getByRole("heading", { name: "A key, please" }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await enter("wrong");
    await page.getByRole("heading", { name: "A key, please" }).waitFor();
    await enter("all");
    await page.getByRole("link", { name: "mine" }).waitFor();

    const own = await browser.open("#/sessions/mine");
    await own.getByLabel("Key").fill(sessionKey(secret, "mine"));
    await own.getByRole("button", { name: "Open" }).click();
    await own.locator("article", { hasText: "19 + 23" }).waitFor();
  });

  test("shows an answer as it streams", async () => {
    const goOn = Promise.withResolvers<void>();
    const events = chatStream(chatCompletion({ content: "So far, and further." }));
    const half = Math.ceil(events.length / 2);
    await using upstream = await startFaultyUpstream(async (_request, reply) => {
      await reply.startEvents();
      for (const event of events.slice(0, half)) await reply.write(event);
      await goOn.promise;
      for (const event of events.slice(half)) await reply.write(event);
      await reply.end();
    });
    await using gateway = await startGateway({
      llm_routes: { demo: { base_url: upstream.url } },
      max_steps: 5,
    });
    await using browser = await watchBrowser(`${gateway.url}/console`);
    const answering = gateway.post("/v1/sessions/s/chat/completions", {
      ...chat("demo"),
      stream: true,
    });
    const page = await browser.open("#/sessions/s");
    await page.getByRole("region", { name: "Running" }).getByText("So far").waitFor();
    await page.getByText("1 in flight").waitFor();
    await page.getByText("1 of 5 steps").waitFor();
    goOn.resolve();
    await (await answering).text();
    await page.locator("article", { hasText: "So far, and further." }).waitFor();
    await page.getByRole("region", { name: "Running" }).waitFor({ state: "detached" });
    expect(browser.complaints).toEqual([]);
  });

  test("a session is exported, closed and cleaned, and each says what it will do", async () => {
    await using upstream = await startDemoUpstream();
    await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
    for (const _ of [1, 2])
      await (await gateway.post("/v1/sessions/s/chat/completions", chat("demo"))).text();
    await using browser = await watchBrowser(`${gateway.url}/console`);
    const page = await browser.open("#/sessions/s");
    const choose = async (button: string) => {
      await page.getByText("Actions").click();
      await page.getByRole("button", { name: button }).click();
    };
    const act = async (button: string, title: string, says: string, came: string) => {
      await choose(button);
      const dialog = page.getByRole("dialog", { name: title });
      await dialog.getByText(says).waitFor();
      expect(await accessibilityViolations(page)).toEqual([]);
      await dialog.getByRole("button", { name: title }).click();
      await dialog.getByText(came).waitFor();
      await dialog.getByRole("button", { name: "Close", exact: true }).click();
    };
    const downloading = page.waitForEvent("download");
    await act("Export …", "Export", "Nothing is changed", "The browser has the file.");
    const file = await downloading;
    expect(file.suggestedFilename()).toBe("s.jsonl");
    const lines = (await readFile(await file.path(), "utf8")).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { session_id: "s", step_id: 1, messages: expect.stringContaining("19 + 23") },
      { session_id: "s", step_id: 2, messages: expect.stringContaining("19 + 23") },
    ]);
    await choose("Clean …");
    await page.getByRole("button", { name: "Clean s" }).click();
    await page.getByText("Close it, and clean it once it is closed.").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await act("Close …", "Close s", "takes no more requests", "It is closed.");
    const refused = await gateway.post("/v1/sessions/s/chat/completions", chat("demo"));
    expect(await refused.text()).toContain("session_closed");
    await act("Clean …", "Clean s", "Its rows stay", "The gateway let go of it.");
    // Browsers log a refused request in their console.
    expect(browser.complaints.filter((text) => !text.includes("409"))).toEqual([]);
  });
});
