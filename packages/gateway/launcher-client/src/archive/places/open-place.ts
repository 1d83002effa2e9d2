import { folderPlace } from "./folder-place.ts";
import type { ArchivePlace } from "./place.ts";
import { s3Place } from "./s3-place.ts";

/** @param address `s3://BUCKET/PREFIX`, or a folder @throws ArchiveError */
export const openPlace = async (address: string, signal?: AbortSignal): Promise<ArchivePlace> =>
  address.startsWith("s3://") ? s3Place(address, signal) : folderPlace(address, signal);
