import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProcess, temporaryFolder } from "@proj/test-kit";
import { expect, it, onTestFinished } from "vitest";
import { openPaperMarket } from "../../src/market/paper-market.ts";
import { command, everything, passTime, step, tradingOptions } from "./trading-run.ts";

const program = fileURLToPath(new URL("./trading-program.ts", import.meta.url));

it("a killed market loses nothing that was answered, and goes on with the same fills", async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  for (const kill of [15, 60]) {
    const state_file = join(folder.path, `${kill}.db`);
    await using child = await startProcess([program, state_file]);
    await child.line(new RegExp(`^answered ${kill}$`));
    child.kill("SIGKILL");
    await child.exit();
    const answered = Number(/answered (\d+)\n$/.exec(child.stdout)?.[1]);

    using killed = openPaperMarket({ ...tradingOptions, state_file });
    using whole = openPaperMarket(tradingOptions);
    for (let number = 0; number <= answered; number += 1) step(whole, number);
    // It may have died after a commit and before it could say so.
    const allowed = [everything(whole)];
    passTime(whole, answered + 1);
    allowed.push(everything(whole));
    command(whole, answered + 1);
    allowed.push(everything(whole));
    expect(allowed).toContainEqual(everything(killed));

    const later = whole.now + 3_600_000;
    for (const market of [whole, killed]) market.advanceTo(later);
    expect(killed.price("EUR/USD")).toEqual(whole.price("EUR/USD"));
  }
});
