import { readFile } from "node:fs/promises";
import { isLeftOutWithoutChromium } from "@proj/test-kit/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { firstQuestion } from "./demo-agents.ts";
import { choose, type DemoConsole, startDemoConsole, violationsInBoth } from "./demo-console.ts";

const isSkipped = isLeftOutWithoutChromium("actions on a job in the console in a browser");
const on = { model: "demo", messages: [{ role: "user", content: "On?" }] };

describe.skipIf(isSkipped)(
  "the sessions of a job of 48 simulations in the gateway's console in Chromium",
  () => {
    let demo: DemoConsole;
    beforeAll(async () => {
      demo = await startDemoConsole();
    });
    afterAll(() => demo?.[Symbol.asyncDispose]());

    test("the table finds sessions by their state in memory and their failures", async () => {
      const page = await demo.browser.open("#/sessions?q=status:active+error:*");
      const failed = page.locator("tr.failed");
      await failed.filter({ hasText: "nightly-43" }).getByText("502").waitFor();
      await page.keyboard.press("n");
      expect(await failed.first().locator("a.entry:focus").count()).toBe(1);
      await page.getByRole("searchbox").fill("status:closed");
      await page.getByText("No session matches.").waitFor();
      await page.context().close();
    });

    test("a session is exported, closed and cleaned, and each action says what it will do", async () => {
      const page = await demo.browser.open("#/sessions/nightly-3");
      const act = async (button: string, title: string, says: string, came: string) => {
        await choose(page, button);
        const dialog = page.getByRole("dialog", { name: title });
        await dialog.getByText(says).waitFor();
        expect(await violationsInBoth(page)).toEqual([]);
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
      const refused = await demo.gateway.post("/v1/sessions/nightly-3/chat/completions", on);
      expect(await refused.text()).toContain("session_closed");
      const forgotten = "The gateway has forgotten the session.";
      await act("Clean …", "Clean nightly-3", "Its rows stay", forgotten);
      await page.context().close();
    });

    test("a session is forked from a step and replayed, and replayed steps say so", async () => {
      const { gateway, browser } = demo;
      const ask = async (session_id: string, messages: readonly object[]): Promise<number> => {
        const path = `/v1/sessions/${session_id}/chat/completions`;
        const answer = await gateway.post(path, { model: "demo", messages });
        await answer.text();
        return answer.status;
      };
      const sum = (content: string) => [{ role: "user", content }];
      const page = await browser.open("#/sessions/nightly-1");
      await page.getByRole("article", { name: "Step 2", exact: true }).waitFor();
      await page.keyboard.press("f");
      const dialog = page.getByRole("dialog", { name: "Fork from step 1" });
      await dialog.getByText("gets the answers of step 1 from the record").waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
      await dialog.getByRole("searchbox", { name: "Id of the new session" }).fill("new");
      await dialog.getByRole("button", { name: "Fork from step 1" }).click();
      await dialog.getByText("1 recorded step will answer.").waitFor();
      await dialog.getByText(`${gateway.url}/v1/sessions/new`).waitFor();
      await dialog.getByRole("link", { name: "new" }).click();
      await page.getByText("Nothing is recorded for 'new'.").waitFor();
      for (const asked of [firstQuestion(1), sum("What is 3 + 3?")]) await ask("new", asked);
      const first = page.getByRole("article", { name: "Step 1", exact: true });
      await first.getByText("replayed from step 1 of nightly-1").waitFor();
      await page.getByText("1 step replayed").waitFor();
      const second = page.getByRole("article", { name: "Step 2", exact: true });
      await second.getByText("3 + 3 = 6").waitFor();
      expect(await second.getByText("replayed from").count()).toBe(0);

      await first.getByRole("link", { name: "nightly-1" }).click();
      await choose(page, "Replay …");
      const replay = page.getByRole("dialog", { name: "Replay" });
      await replay.getByText("no model is asked").waitFor();
      await replay.getByRole("searchbox").fill("new");
      await replay.getByRole("button", { name: "Replay" }).click();
      await replay.getByText("is already a fork of session 'nightly-1'").waitFor();
      await replay.getByRole("searchbox").fill("again");
      await replay.getByRole("button", { name: "Replay" }).click();
      await replay.getByText("2 recorded steps will answer.").waitFor();
      expect(await ask("again", firstQuestion(1))).toBe(200);
      expect(await ask("again", sum("What is 9 + 9?"))).toBe(409);
      await page.context().close();
    });

    test("the browser had nothing to complain about", () => {
      // Browsers log a refused request in their console.
      expect(demo.browser.complaints.filter((text) => !text.includes("409"))).toEqual([]);
    });
  },
);
