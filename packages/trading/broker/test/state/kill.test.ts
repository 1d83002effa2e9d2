import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startBundled, temporaryFolder } from "@proj/test-kit";
import { expect, it, onTestFinished } from "vitest";
import { openPaperMarket } from "../../src/market/paper-market.ts";
import { fillModels } from "../engine/session-accounts.ts";
import { command, everything, optionsWith, passTime, step } from "./trading-run.ts";

const program = fileURLToPath(new URL("./trading-program.ts", import.meta.url));

it.each(fillModels)(
  "a killed market with %s keeps everything it answered and resumes with the same fills",
  async (name, model, currencies) => {
    const options = optionsWith(model, currencies);
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    for (const kill of name === "nothing" ? [15, 60] : [40]) {
      const state_file = join(folder.path, `${kill}.db`);
      await using child = await startBundled(program, [state_file, name]);
      await child.line(new RegExp(`^answered ${kill}$`));
      child.kill("SIGKILL");
      await child.exit();
      const answered = Number(/answered (\d+)\n$/.exec(child.stdout)?.[1]);

      using killed = openPaperMarket({ ...options, state_file });
      using whole = openPaperMarket(options);
      for (let number = 0; number <= answered; number += 1) step(whole, number);
      // It may have died between a commit and its answer.
      const left = JSON.stringify(everything(killed));
      const isThere = () => JSON.stringify(everything(whole)) === left;
      if (!isThere()) passTime(whole, answered + 1);
      if (!isThere()) command(whole, answered + 1);
      expect(everything(whole)).toEqual(everything(killed));

      const later = whole.now + 3_600_000;
      for (const market of [whole, killed]) market.advanceTo(later);
      expect(everything(killed)).toEqual(everything(whole));
    }
  },
);

it.each(fillModels)(
  "a market with %s killed at any moment leaves a consistent state",
  async (_name, model, currencies) => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const options = optionsWith(model, currencies);
    using market = openPaperMarket({ ...options, state_file: join(folder.path, "market.db") });
    for (let number = 0; number < 48; number += 1) {
      step(market, number);
      if (number % 12 !== 7) continue;
      // Copy the files as they are, without the process's memory.
      const left = join(folder.path, String(number));
      mkdirSync(left);
      for (const name of readdirSync(folder.path))
        if (name.startsWith("market.db") && !name.endsWith("-owner"))
          copyFileSync(join(folder.path, name), join(left, name));
      using found = openPaperMarket({ ...options, state_file: join(left, "market.db") });
      expect(everything(found)).toEqual(everything(market));
      // Both must continue alike, including orders on their way.
      using again = openPaperMarket({ ...options, state_file: null });
      for (let before = 0; before <= number; before += 1) step(again, before);
      for (const each of [found, again]) each.advanceTo(again.now + 1_800_000);
      expect(everything(found)).toEqual(everything(again));
    }
  },
);
