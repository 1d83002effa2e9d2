import { once } from "node:events";
import type { Server } from "node:http";
import { startChromium } from "@proj/test-kit/chromium";
import type { Browser, Page } from "playwright-core";
import { createViewServer } from "../src/index.ts";
import { type SampleStore, sampleStore } from "./sample-store.ts";

type ContextOptions = Parameters<Browser["newContext"]>[0];

/** The console in a browser. */
export interface ViewedConsole extends AsyncDisposable {
  readonly url: string;
  /** What the browser complained about so far, in every page. */
  readonly complaints: readonly string[];
  /** @param place such as `#/jobs` */
  open(place: string, options?: ContextOptions): Promise<Page>;
}

/** Over a storage alone. @param write what is in it */
export async function viewStorage(
  write: (sample: SampleStore) => Promise<void>,
): Promise<ViewedConsole> {
  const sample = await sampleStore();
  await write(sample);
  const server = createViewServer(sample.store).listen(0, "127.0.0.1");
  await once(server, "listening");
  return viewConsole(addressOf(server), async () => {
    server.close();
    server.closeAllConnections();
    await sample[Symbol.asyncDispose]();
  });
}

/** @param base a server's URL @param close what is done when nobody looks any longer */
export async function viewConsole(
  base: string,
  close: () => Promise<void> = async () => {},
): Promise<ViewedConsole> {
  const browser = await startChromium();
  const complaints: string[] = [];
  const url = `${base}/console`;
  return {
    url,
    complaints,
    async open(place, options = {}) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
      });
      page.on("pageerror", ({ message }) => complaints.push(message));
      page.on("request", (request) => {
        const isOwn = request.url().startsWith(base) || /^(?:data|blob):/.test(request.url());
        if (!isOwn) complaints.push(`asked for ${request.url()}`);
      });
      await page.goto(url + place);
      return page;
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await close();
    },
  };
}

function addressOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}
