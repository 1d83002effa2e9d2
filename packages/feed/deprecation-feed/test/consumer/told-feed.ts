import { checkModels, readFeed } from "@proj/deprecation-feed/consumer";

/** What a consumer gets from a feed, in any runtime: uses only what all of them have. */
export async function told(url: string): Promise<Record<string, unknown>> {
  const feed = await readFeed(url);
  const again = await readFeed(url, { previous: feed });
  const [ended, unknown] = checkModels(["m-1", "m-9"], feed, { today: "2030-01-01" });
  const nobody = await readFeed("http://127.0.0.1:1/", { attempts: 1 }).catch(
    (error: Error) => error.name,
  );
  return {
    ...{ isKnown: again === feed, ended: ended?.verdict, unknown: unknown?.verdict },
    nobody,
  };
}
