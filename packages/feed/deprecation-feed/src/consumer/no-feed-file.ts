import { FeedError } from "./feed-error.ts";
import type { FeedFile } from "./feed-file.ts";

/** For browsers, which have no files. @throws FeedError */
export async function readFeedFile(pathOrUrl: string, _maxBytes: number): Promise<FeedFile> {
  throw new FeedError(`${pathOrUrl} cannot be read: there are no files here, only http(s) URLs`);
}
