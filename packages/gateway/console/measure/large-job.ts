import type { Page } from "./frames.ts";

/** How long each of a large job's views took, by what was done, in milliseconds. */
export type Samples = ReadonlyMap<string, readonly number[]>;

interface LargeJob {
  readonly page: Page;
  /** Enters an address until this is shown, in milliseconds. */
  readonly open: (place: string, shown: string) => Promise<number>;
  readonly rounds: number;
}

/** Opens, sorts and filters the job `large`, and opens its tools and its report. */
export async function measureLargeJob({ page, open, rounds }: LargeJob): Promise<Samples> {
  const samples = new Map<string, number[]>();
  const add = (what: string, ms: number): void => {
    samples.set(what, [...(samples.get(what) ?? []), ms]);
  };
  const changing = async (change: () => Promise<void>, shown: string): Promise<number> => {
    const began = performance.now();
    await change();
    await page.locator(shown).first().waitFor();
    return performance.now() - began;
  };
  const reward = page.getByRole("button", { name: "reward", exact: true });
  const field = page.getByRole("searchbox");
  const job = "#/jobs/large";
  for (let round = 0; round < rounds; round += 1) {
    add("the job opens", await open(job, "a.cell"));
    add("its table opens", await open(`${job}?show=table`, "tbody td"));
    for (const order of ["ascending", "descending"]) {
      const sorting = changing(() => reward.click(), `th[aria-sort=${order}]`);
      add(`it is sorted, ${order}`, await sorting);
    }
    const crash = "tbody tr:first-child td:text-is('crash')";
    add("it is filtered", await changing(() => field.fill("cause:crash"), crash));
    add("its tools are counted", await open("#/tools?job=large", "tbody td"));
    add("its report opens", await open("#/report?job=large", "tbody td"));
  }
  return samples;
}
