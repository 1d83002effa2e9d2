import { isLeftOutWithoutChromium, reload } from "@proj/test-kit/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeLongSession } from "./sample-extremes.ts";
import { writeSampleJob } from "./sample-job.ts";
import { type ViewedConsole, viewStorage } from "./viewed-console.ts";

const isSkipped = isLeftOutWithoutChromium("the console in a browser");

describe.skipIf(isSkipped)("the console in Chromium", () => {
  let console: ViewedConsole;
  let url: string;
  const open: ViewedConsole["open"] = (...given) => console.open(...given);

  beforeAll(async () => {
    console = await viewStorage(async (sample) => {
      await writeSampleJob(sample, "nightly", 200);
      await writeLongSession(sample, "long", 1_500);
    });
    url = console.url;
  });
  afterAll(() => console?.[Symbol.asyncDispose]());

  test("the URL keeps the filters, and a session opens by keyboard", async () => {
    const page = await open("#/sessions");
    await page.locator("a.entry").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("job:nightly tool:edit reward<0.25");
    await expect.poll(() => page.url()).toContain("reward%3C0.25");
    const rewards = page.locator("td[data-name='reward']");
    await expect.poll(async () => new Set(await rewards.allTextContents())).toEqual(new Set(["0"]));
    await reload(page);
    await expect.poll(async () => new Set(await rewards.allTextContents())).toEqual(new Set(["0"]));
    for (const key of ["j", "j", "j", "k"]) await page.keyboard.press(key);
    const second = page.locator("a.entry").nth(1);
    expect(await second.evaluate((link) => link.matches(":focus"))).toBe(true);
    const session_id = await second.textContent();
    await page.keyboard.press("Enter");
    await page.locator("h2", { hasText: session_id ?? "" }).waitFor();
    await page.context().close();
  });

  test("every filter finds what it says", async () => {
    const page = await open("#/sessions");
    const search = page.getByRole("searchbox");
    const finds = async (typed: string, session_id: string): Promise<void> => {
      await search.fill(typed);
      await page.locator(`a.entry[title="${session_id}"]`).waitFor();
    };
    const findsNothing = async (typed: string): Promise<void> => {
      await search.fill(typed);
      await page.getByText("No session matches.").waitFor();
    };
    await finds("model:policy group:task-3 job:nightly", "nightly-24");
    await finds("code:502 error:overloaded job:nightly", "nightly-197");
    await finds('tool:grep "sixtieth"', "nightly-196");
    await finds("error:* group:task-1", "nightly-10");
    await finds("reward>=1 group:task-3", "nightly-31");
    await finds("reward<=0 group:task-0", "nightly-5");
    await finds("reward=0.75 group:task-0", "nightly-4");
    await finds('job:"nightly" nightly-150', "nightly-150");
    await finds("status:failed job:nightly task-24", "nightly-197");
    await finds("task-3-0", "nightly-24");
    await findsNothing("model:other");
    await findsNothing("error:never-said");
    await findsNothing("status:active");
    await findsNothing("reward>1");
    await page.keyboard.press("Escape");
    expect(await search.evaluate((field) => field.matches(":focus"))).toBe(false);
    await page.context().close();
  });

  test("a search goes further back, and says if nothing matches", async () => {
    const page = await open("#/sessions?q=job:nightly");
    await expect.poll(() => page.locator("a.entry").count()).toBe(50);
    await page.getByRole("button", { name: "Load older sessions" }).click();
    await expect.poll(() => page.locator("a.entry").count()).toBeGreaterThan(90);
    await page.goto(`${url}#/sessions?q=never-said`);
    await page.getByText("No session matches.").waitFor();
    await page.context().close();
  });

  test("a session is a conversation in which only what is new is open", async () => {
    const page = await open("#/sessions/nightly-3");
    const steps = page.locator("article");
    await expect.poll(() => steps.count()).toBe(4);
    await steps.nth(0).locator("img.image").waitFor();
    await steps.nth(0).getByText("calls bash").waitFor();
    const thinking = steps.nth(0).locator("details", { hasText: "thinking" });
    expect(await thinking.getAttribute("open")).toBeNull();
    const times =
      "516 ms the agent's own time, 300 ms in the queue, 120 ms to the first byte, 360 ms answering";
    await steps.nth(1).getByRole("img", { name: times }).waitFor();
    const second = steps.nth(1);
    expect(await second.locator(".prefix").textContent()).toMatch(/unchanged since step 1/);
    expect(await second.textContent()).not.toContain("You fix code");
    expect(
      await second.locator("details", { hasText: "bash returns" }).getAttribute("open"),
    ).toBeNull();
    await steps.nth(3).getByText("retry of step 3").waitFor();
    await steps.nth(3).getByRole("list", { name: "Sources" }).getByText("RFC 3339").waitFor();
    await page.keyboard.press("e");
    await expect.poll(() => page.locator("article details:not([open])").count()).toBe(0);
    await thinking.getByText("First I need to see which test fails").last().waitFor();
    await page.keyboard.press("e");
    await expect.poll(() => page.locator("article details[open]").count()).toBe(0);
    await page.keyboard.press("n");
    await page.locator("article.current.failed").waitFor();
    expect(page.url()).toMatch(/step=\d+/);
    await page.keyboard.press("k");
    await page.locator("article.current[aria-label='Step 2']").waitFor();
    await page.getByRole("button", { name: "Latest" }).click();
    await page.locator("article.current[aria-label='Step 4']").waitFor();
    await page.getByRole("button", { name: "1 error" }).click();
    await page.locator("article.current.failed[aria-label='Step 3']").waitFor();
    await page.context().close();
  });

  test("a place that is entered while the page starts is shown", async () => {
    const page = await open("");
    await page.addInitScript(`
      const moves = new MutationObserver(() => {
        if (document.querySelector("main") === null) return;
        moves.disconnect();
        location.hash = "#/jobs";
      });
      moves.observe(document, { childList: true, subtree: true });
    `);
    await reload(page);
    await page.getByRole("link", { name: "nightly", exact: true }).waitFor();
    await page.getByRole("columnheader", { name: "Mean reward" }).waitFor();
    await page.context().close();
  });

  test("a tab that was opened in the background loads once somebody looks at it", async () => {
    const page = await open("");
    await page.addInitScript(`
      let state = "hidden";
      Object.defineProperty(document, "visibilityState", { get: () => state });
      window.look = () => { state = "visible"; document.dispatchEvent(new Event("visibilitychange")); };
    `);
    await page.goto(`${url}#/sessions/nightly-3`);
    await reload(page);
    await page.locator("header.head").waitFor();
    expect(await page.locator("article").count()).toBe(0);
    await page.evaluate("look()");
    await expect.poll(() => page.locator("article").count()).toBe(4);
    await page.context().close();
  });

  test("the inspector shows and copies a step exactly as it was sent", async () => {
    const page = await open("#/sessions/nightly-3", {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.getByRole("button", { name: "Inspect Step 2" }).click();
    const inspector = page.getByRole("complementary", { name: "Inspector" });
    await inspector.getByText('"model": "policy"').waitFor();
    const copied = async (name: string): Promise<string> => {
      await inspector.getByRole("button", { name, exact: true }).click();
      await inspector.getByText("Copied").waitFor();
      await inspector.getByText("Copied").waitFor({ state: "detached" });
      return String(await page.evaluate("navigator.clipboard.readText()"));
    };
    const curl = await copied("Copy as curl");
    const body = JSON.parse(
      /--data-binary '(.*)'$/s.exec(curl)?.[1]?.replaceAll(String.raw`'\''`, "'") ?? "",
    );
    expect(body).toMatchObject({
      model: "policy",
      messages: [{ role: "system" }, { role: "user" }, {}, {}],
    });
    expect(JSON.parse(await copied("Copy"))).toEqual(body);
    expect(JSON.parse(await copied("Copy step as JSON"))).toMatchObject({ id: expect.any(Number) });
    await inspector.getByLabel("Unformatted").check();
    await inspector.getByText('{"model":"policy","messages":[{"role":"system"').waitFor();
    await inspector.getByRole("tab", { name: "Response" }).click();
    await inspector.getByText('"choices"').waitFor();
    await inspector.getByRole("tab", { name: "Facts" }).click();
    await inspector.getByText("finish_reason").waitFor();
    await page.keyboard.press("Escape");
    await inspector.waitFor({ state: "detached" });
    await page.context().close();
  });

  test("only the visible part of a long session is in the document", async () => {
    const page = await open("#/sessions/long");
    await page.getByText("1,500 calls").waitFor();
    expect(await page.locator("article").count()).toBeLessThan(40);
    await page.keyboard.press("g");
    await page.getByRole("article", { name: "Step 1,500", exact: true }).waitFor();
    await page.locator("article", { hasText: "Turn 1500 is done." }).waitFor();
    expect(await page.locator("article").count()).toBeLessThan(40);
    await page.context().close();
  });

  test("a job is a grid by reward, with its groups without variance and its failures", async () => {
    const page = await open("#/jobs");
    await page.getByRole("link", { name: "nightly" }).click();
    await expect.poll(() => page.locator("a.cell").count()).toBe(200);
    expect(await page.locator("section.uniform").count()).toBeGreaterThan(0);
    const rewards = page.getByRole("region", { name: "Distribution of rewards" });
    expect(await rewards.locator("li .number").allTextContents()).toEqual([
      "0",
      "0.25",
      "0.5",
      "0.75",
      "1",
    ]);
    await page
      .getByRole("region", { name: "Failures by cause" })
      .getByText("agent_failed")
      .first()
      .waitFor();
    await page.keyboard.press("n");
    expect(await page.evaluate("document.activeElement.className")).toContain("failed");
    await page.keyboard.press("Enter");
    await page.getByText("the command ended with exit code 1").waitFor();
    await page.context().close();
  });

  test("the browser had nothing to complain about", () => {
    expect(console.complaints).toEqual([]);
  });
});
