import { startDemoUpstream } from "@proj/test-kit";
import {
  accessibilityViolations,
  isLeftOutWithoutChromium,
  watchBrowser,
} from "@proj/test-kit/chromium";
import { describe, expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";

const isSkipped = isLeftOutWithoutChromium("forks in the gateway's console in a browser");
const chat = (content: string) => ({ model: "demo", messages: [{ role: "user", content }] });

describe.skipIf(isSkipped)("forks in the gateway's console in Chromium", () => {
  test("a session continues from a step of another one, and its replayed steps say so", async () => {
    await using upstream = await startDemoUpstream();
    await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
    const ask = async (session_id: string, content: string): Promise<number> => {
      const answer = await gateway.post(
        `/v1/sessions/${session_id}/chat/completions`,
        chat(content),
      );
      await answer.text();
      return answer.status;
    };
    for (const content of ["What is 1 + 1?", "What is 2 + 2?"]) await ask("old", content);
    await using browser = await watchBrowser(`${gateway.url}/console`);
    const page = await browser.open("#/sessions/old");
    await page.locator("article", { hasText: "Step 2" }).waitFor();
    await page.keyboard.press("f");
    const dialog = page.getByRole("dialog", { name: "Fork from step 1" });
    await dialog.getByText("gets the answers of steps 1 to 1 from the record").waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByRole("searchbox", { name: "Id of the new session" }).fill("new");
    await dialog.getByRole("button", { name: "Fork from step 1" }).click();
    await dialog.getByText("1 recorded step will answer.").waitFor();
    await dialog.getByText(`${gateway.url}/v1/sessions/new`).waitFor();
    await dialog.getByRole("link", { name: "new" }).click();
    await page.getByText("Nothing is recorded of 'new'.").waitFor();
    for (const content of ["What is 1 + 1?", "What is 3 + 3?"]) await ask("new", content);
    const first = page.locator("article", { hasText: "Step 1" });
    await first.getByText("replayed from step 1 of old").waitFor();
    await page.getByText("1 step replayed").waitFor();
    const second = page.locator("article", { hasText: "Step 2" });
    await second.getByText("3 + 3 = 6").waitFor();
    expect(await second.getByText("replayed from").count()).toBe(0);

    await first.getByRole("link", { name: "old" }).click();
    await page.getByText("Actions").click();
    await page.getByRole("button", { name: "Replay …" }).click();
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
    // Browsers log a refused request in their console.
    expect(browser.complaints.filter((text) => !text.includes("409"))).toEqual([]);
  });
});
