import { readFile } from "node:fs/promises";
import { type DemoUpstream, startDemoUpstream } from "@proj/test-kit";
import {
  accessibilityViolations,
  isLeftOutWithoutChromium,
  type WatchedBrowser,
  watchBrowser,
} from "@proj/test-kit/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { runDemoJob } from "./demo-job.ts";

const isSkipped = isLeftOutWithoutChromium("actions on a job in the console in a browser");
const chat = (content: string) => ({ model: "demo", messages: [{ role: "user", content }] });

describe.skipIf(isSkipped)("a job of 200 simulations in the gateway's console in Chromium", () => {
  let upstream: DemoUpstream;
  let gateway: TestGateway;
  let browser: WatchedBrowser;
  type Page = Awaited<ReturnType<WatchedBrowser["open"]>>;

  beforeAll(async () => {
    upstream = await startDemoUpstream();
    const llm_routes = {
      demo: { base_url: upstream.url, max_concurrency: 7 },
      away: { base_urls: ["http://127.0.0.1:9/v1"], retries: 0 },
    };
    const notices = () => ["The model 'demo' ends on 2027-01-01."];
    gateway = await startGateway({ llm_routes }, { notices });
    await runDemoJob(gateway, "nightly", 200);
    browser = await watchBrowser(`${gateway.url}/console`);
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await upstream?.[Symbol.asyncDispose]();
  });

  const choose = async (page: Page, button: string): Promise<void> => {
    await page.getByText("Actions").click();
    await page.getByRole("button", { name: button }).click();
  };

  test("the table finds sessions by their state in memory and their failures", async () => {
    const page = await browser.open("#/sessions?q=status:active+error:*");
    const failed = page.locator("tr.failed");
    await failed.filter({ hasText: "nightly-109" }).getByText("502").waitFor();
    await page.keyboard.press("n");
    expect(await failed.first().locator("a.entry:focus").count()).toBe(1);
    await page.getByRole("searchbox").fill("status:closed");
    await page.getByText("No session matches.").waitFor();
    await page.context().close();
  });

  test("a session is exported, closed and cleaned, and each action says what it will do", async () => {
    const page = await browser.open("#/sessions/nightly-3");
    const act = async (button: string, title: string, says: string, came: string) => {
      await choose(page, button);
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
    expect(file.suggestedFilename()).toBe("nightly-3.jsonl");
    const lines = (await readFile(await file.path(), "utf8")).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { session_id: "nightly-3", step_id: 1, messages: expect.stringContaining("3 + 1") },
      { session_id: "nightly-3", step_id: 2, messages: expect.stringContaining("3 + 2") },
    ]);
    await choose(page, "Clean …");
    await page.getByRole("button", { name: "Clean nightly-3" }).click();
    await page.getByText("Close it, and clean it once it is closed.").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await act("Close …", "Close nightly-3", "takes no more requests", "The session is closed.");
    const refused = await gateway.post("/v1/sessions/nightly-3/chat/completions", chat("On?"));
    expect(await refused.text()).toContain("session_closed");
    const forgotten = "The gateway has forgotten the session.";
    await act("Clean …", "Clean nightly-3", "Its rows stay", forgotten);
    await page.context().close();
  });

  test("a session is forked from a step and replayed, and replayed steps say so", async () => {
    const ask = async (session_id: string, content: string): Promise<number> => {
      const path = `/v1/sessions/${session_id}/chat/completions`;
      const answer = await gateway.post(path, chat(content));
      await answer.text();
      return answer.status;
    };
    for (const content of ["What is 1 + 1?", "What is 2 + 2?"]) await ask("old", content);
    const page = await browser.open("#/sessions/old");
    await page.locator("article", { hasText: "Step 2" }).waitFor();
    await page.keyboard.press("f");
    const dialog = page.getByRole("dialog", { name: "Fork from step 1" });
    await dialog.getByText("gets the answers of step 1 from the record").waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByRole("searchbox", { name: "Id of the new session" }).fill("new");
    await dialog.getByRole("button", { name: "Fork from step 1" }).click();
    await dialog.getByText("1 recorded step will answer.").waitFor();
    await dialog.getByText(`${gateway.url}/v1/sessions/new`).waitFor();
    await dialog.getByRole("link", { name: "new" }).click();
    await page.getByText("Nothing is recorded for 'new'.").waitFor();
    for (const content of ["What is 1 + 1?", "What is 3 + 3?"]) await ask("new", content);
    const first = page.locator("article", { hasText: "Step 1" });
    await first.getByText("replayed from step 1 of old").waitFor();
    await page.getByText("1 step replayed").waitFor();
    const second = page.locator("article", { hasText: "Step 2" });
    await second.getByText("3 + 3 = 6").waitFor();
    expect(await second.getByText("replayed from").count()).toBe(0);

    await first.getByRole("link", { name: "old" }).click();
    await choose(page, "Replay …");
    const replay = page.getByRole("dialog", { name: "Replay" });
    await replay.getByText("no model is asked").waitFor();
    await replay.getByRole("searchbox").fill("new");
    await replay.getByRole("button", { name: "Replay" }).click();
    await replay.getByText("is already a fork of session 'old'").waitFor();
    await replay.getByRole("searchbox").fill("again");
    await replay.getByRole("button", { name: "Replay" }).click();
    await replay.getByText("2 recorded steps will answer.").waitFor();
    expect(await ask("again", "What is 1 + 1?")).toBe(200);
    expect(await ask("again", "What is 9 + 9?")).toBe(409);
    await page.context().close();
  });

  test("the overview is accessible and fits phones and screens, light and dark", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await browser.open("#/overview", { colorScheme });
      await page.locator(".chart canvas").nth(2).waitFor();
      for (const width of [360, 820, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        // The charts follow the window in its next frame.
        const scrollWidth = () => page.evaluate("document.documentElement.scrollWidth");
        await expect.poll(scrollWidth).toBe(width);
      }
      expect(await accessibilityViolations(page)).toEqual([]);
      await page.context().close();
    }
  });

  test("a route is tried, paused and resumed", async () => {
    const page = await browser.open("", { viewport: { width: 1440, height: 900 } });
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByText("The model 'demo' ends on 2027-01-01.").waitFor();
    const demo = page.getByRole("row", { name: /^demo/ });
    await demo.getByText("0 of 7 in flight").waitFor();
    await page.getByRole("row", { name: /^away/ }).getByText("18, 18 failed").waitFor();
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
    await page.context().close();
  });

  test("the browser had nothing to complain about", () => {
    // Browsers log a refused request in their console.
    expect(browser.complaints.filter((text) => !text.includes("409"))).toEqual([]);
  });
});
