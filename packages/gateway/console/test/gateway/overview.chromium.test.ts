import { isLeftOutWithoutChromium } from "@proj/test-kit/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DemoConsole, startDemoConsole, violationsInBoth } from "./demo-console.ts";

const isSkipped = isLeftOutWithoutChromium("the console's overview in a browser");

/** How many pixels of a chart have the colour of a line: texts and the grid are grey. */
const ink = (title: string): string => `(() => {
  const canvas = document.querySelector("[aria-label^='${title}'] canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let pixels = 0;
  for (let at = 0; at < data.length; at += 4)
    if (Math.abs(data[at] - data[at + 2]) > 60) pixels += 1;
  return pixels;
})()`;

describe.skipIf(isSkipped)("the overview after a job of 48 simulations in Chromium", () => {
  let demo: DemoConsole;
  beforeAll(async () => {
    demo = await startDemoConsole();
  });
  afterAll(() => demo?.[Symbol.asyncDispose]());

  test("the overview is accessible and fits phones and screens in both schemes", async () => {
    const page = await demo.browser.open("#/overview");
    await page.locator(".chart canvas").nth(2).waitFor();
    for (const width of [360, 820, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      // The charts follow the window in its next frame.
      const scrollWidth = () => page.evaluate("document.documentElement.scrollWidth");
      await expect.poll(scrollWidth).toBe(width);
    }
    expect(await violationsInBoth(page)).toEqual([]);
    await page.context().close();
  });

  test("a chart shows the first call of a route at once, although no line leads to it", async () => {
    const page = await demo.browser.open("#/overview?route=quiet");
    const calls = page.getByRole("img", { name: /^Calls/ });
    const latency = page.getByRole("img", { name: /^Latency/ });
    const inked = (): Promise<number> => page.evaluate(ink("Latency"));
    await page.getByRole("img", { name: /calls: now 0/ }).waitFor();
    const before = await inked();
    const ask = async (): Promise<void> => {
      const body = { model: "quiet", messages: [{ role: "user", content: "What is 1 + 1?" }] };
      await (await demo.gateway.post("/v1/chat/completions", body)).text();
    };
    await ask();
    // The call may be the last one of its interval, and "now" already the next one.
    await expect
      .poll(() => calls.getAttribute("aria-label"))
      .toMatch(/calls: now \d+, at most [1-9]/);
    await expect.poll(() => latency.getAttribute("aria-label")).toMatch(/p50: now \d/);
    await expect.poll(inked).toBeGreaterThan(before);
    // The legend has the latest values until somebody points at others: an interval without a call has none.
    const p50 = page.locator(".u-legend", { hasText: "p50" }).getByText(/^0\.\d+$/);
    const hasValue = async (): Promise<boolean> => {
      await ask();
      return (await p50.count()) > 0;
    };
    await expect.poll(hasValue, { interval: 500 }).toBe(true);
    await page.context().close();
  });

  test("a route is tried, paused and resumed", async () => {
    const page = await demo.browser.open("", { viewport: { width: 1440, height: 900 } });
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByText("The model 'demo' ends on 2027-01-01.").waitFor();
    const route = page.getByRole("row", { name: /^demo/ });
    await route.getByText("0 of 7 in flight").waitFor();
    await page.getByRole("row", { name: /^away/ }).getByText("8, 8 failed").waitFor();
    await page.getByRole("region", { name: "Storage" }).getByText("a file (SQLite)").waitFor();

    await route.getByRole("link", { name: "demo" }).click();
    await page.getByRole("button", { name: "Ask" }).click();
    await page.getByRole("form", { name: "Try the route" }).getByText("19 + 23 = 42").waitFor();

    await page.getByRole("button", { name: "Pause …" }).click();
    const dialog = page.getByRole("dialog", { name: "Pause demo" });
    await dialog.getByText("until somebody resumes it").waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    await dialog.getByRole("radio", { name: /refuse/ }).check();
    await dialog.getByRole("button", { name: "Pause demo" }).click();
    await dialog.getByText("It is paused").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await route.getByText("paused (refuse)").waitFor();
    await page.getByRole("button", { name: "Resume …" }).click();
    await page.getByRole("searchbox").fill("step-42");
    await page.getByRole("button", { name: "Resume demo" }).click();
    await page.getByText("It forwards again").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await route.getByText("weights step-42").waitFor();
    await page.context().close();
  });

  test("the browser had nothing to complain about", () => {
    // Browsers log a refused request in their console.
    expect(demo.browser.complaints.filter((text) => !text.includes("409"))).toEqual([]);
  });
});
