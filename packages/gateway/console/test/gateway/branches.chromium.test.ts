import { isLeftOutWithoutChromium, reload } from "@proj/test-kit/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "./demo-agents.ts";
import { type DemoConsole, type Page, startDemoConsole } from "./demo-console.ts";

const isSkipped = isLeftOutWithoutChromium("the branches of a job in the console in a browser");

describe.skipIf(isSkipped)("what the agents of a job of 48 simulations did in Chromium", () => {
  let demo: DemoConsole;
  beforeAll(async () => {
    demo = await startDemoConsole();
  });
  afterAll(() => demo?.[Symbol.asyncDispose]());

  /** Opens a session with its tree. */
  const open = (session_id: string): Promise<Page> =>
    demo.browser.open(`#/sessions/${session_id}`, { viewport: { width: 1440, height: 900 } });
  const linksOf = async (page: Page, names: readonly string[]): Promise<void> => {
    const links = page.getByRole("navigation", { name: "Branches" }).getByRole("link");
    await expect.poll(() => links.allTextContents()).toEqual(names);
  };

  test("forks, subagents and side calls are branches, as the gateway recorded them", async () => {
    const page = await open("nightly-4");
    await linksOf(page, [
      "Everything by time 9 calls",
      "Main 3 calls",
      "Side call title 1 call, after step 1",
      "Subagent explore 2 calls, after step 1",
      "Subagent read 1 call, after step 2",
      "Subagent check 1 call, after step 1",
      "Fork 1 call, after step 6",
    ]);
    await page.locator("article img.image").first().waitFor();
    const sixth = page.getByRole("article", { name: "Step 6", exact: true });
    await sixth.getByText("unchanged since step 1").waitFor();
    await page.getByRole("link", { name: /^Fork/ }).click();
    await page.getByText("4 + 4 = 8").waitFor();
    await page.context().close();
  });

  test("a long session is one conversation, also where its history is stored whole", async () => {
    const agent = { gateway: demo.gateway, session_id: "long", index: 0 };
    const history: object[] = [];
    for (let step = 1; step <= 100; step += 1) {
      const content = `${"Mind the carry. ".repeat(20)} What is ${step} + 1?`;
      history.push({ role: "user", content });
      history.push(await ask(agent, "demo", history));
    }
    const whole =
      "select id, step_id from stored_steps where session_id = ? and messages_base is null";
    const found = demo.gateway.database((database) =>
      database.prepare<[string], { id: number; step_id: number }>(whole).all("long"),
    );
    // Short histories are stored whole, and then one of 64.
    const [short, last] = found.slice(-2);
    if (short === undefined || last === undefined) throw new Error("both are stored whole");
    expect(last.step_id - short.step_id).toBe(64);
    const page = await open("long");
    const step = (number: number) =>
      page.getByRole("article", { name: `Step ${number}`, exact: true });
    await step(2).getByText("unchanged since step 1").waitFor();
    await page.goto(`${demo.gateway.url}/console#/sessions/long?step=${last.id}`);
    await reload(page);
    await step(last.step_id)
      .getByText(`unchanged since step ${last.step_id - 1}`)
      .waitFor();
    expect(await step(last.step_id).locator(".message.user").count()).toBe(1);
    expect(await page.getByRole("button", { name: /branches/ }).count()).toBe(0);
    await page.context().close();
  });

  test("the inspector has a call's headers, timings, attempts and size as they were recorded", async () => {
    const page = await open("nightly-4");
    await page.getByRole("button", { name: "Inspect Step 2", exact: true }).click();
    await page.getByRole("tab", { name: "Facts" }).click();
    const facts = page.getByRole("tabpanel", { name: "Facts" });
    const recorded = async (name: string): Promise<string | null> => {
      const term = facts.locator("div", { has: page.getByText(name, { exact: true }) });
      return term.locator("dd").first().textContent();
    };
    await facts.getByText("request_headers").waitFor();
    expect(await recorded("request_headers")).toContain('"x-gateway-agent": "agent-7f3a"');
    expect(await recorded("headers")).toContain("content-type");
    expect(await recorded("attempts")).toBe("1");
    expect(await recorded("Upstream")).toMatch(/ms$/);
    expect(Number(await recorded("request_bytes"))).toBeGreaterThan(50);
    await page.context().close();
  });

  test("what was retried, and what retries it, are marked", async () => {
    const page = await open("nightly-2");
    await linksOf(page, [
      "Everything by time 3 calls",
      "Main 2 calls, 1 retry",
      "Retried 1 call, after step 1, 1 failed",
    ]);
    await page.getByText("At last: 42.").waitFor();
    await page.locator("article.failed").getByText("503: busy").waitFor();
    await page.locator("article.failed").getByText("retried as step 2").waitFor();
    await page.getByText("retry of step 1").waitFor();
    await page.context().close();
  });

  test("what was answered from another session's record says so", async () => {
    const page = await open("nightly-6");
    await page.getByText("replayed from step 1 of nightly-5").waitFor();
    await page.getByText("1 step replayed").waitFor();
    expect(await page.locator("article", { hasText: "replayed" }).count()).toBe(1);
    await page.context().close();
  });

  test("the browser had nothing to complain about", () => {
    expect(demo.browser.complaints).toEqual([]);
  });
});
