import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { PriceFileError } from "./price-file-error.ts";

/** The largest text that is unpacked or converted in memory; a week of ticks has about 100 MB. */
const maxBytes = 1024 ** 3;

/** The text of a price file as UTF-8, read at any place. */
export interface PriceFile {
  readonly size: number;
  /** Up to this many bytes; fewer only at the end. */
  read(from: number, length: number): Buffer;
  close(): void;
}

/** Opens a plain file, or one that is packed by gzip or written as UTF-16, which is unpacked in memory. @throws PriceFileError */
export function openPriceFile(path: string): PriceFile {
  try {
    const descriptor = openSync(path, "r");
    const start = Buffer.alloc(2);
    readSync(descriptor, start, 0, 2, 0);
    if (!isGzip(start) && !isUtf16(start)) return onDisk(descriptor);
    closeSync(descriptor);
    const bytes = readFileSync(path);
    return inMemory(
      asUtf8(isGzip(bytes) ? gunzipSync(bytes, { maxOutputLength: maxBytes }) : bytes),
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PriceFileError(`The prices cannot be read: ${reason}`, { cause: error });
  }
}

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
const isUtf16 = (bytes: Buffer): boolean => bytes[0] === 0xff && bytes[1] === 0xfe;

/** The provider's files of ticks and those that MetaTrader saves are UTF-16. */
const asUtf8 = (bytes: Buffer): Buffer =>
  isUtf16(bytes) ? Buffer.from(new TextDecoder("utf-16le").decode(bytes)) : bytes;

function onDisk(descriptor: number): PriceFile {
  return {
    get size() {
      return fstatSync(descriptor).size;
    },
    read: (from, length) => {
      const buffer = Buffer.alloc(length);
      return buffer.subarray(0, readSync(descriptor, buffer, 0, length, from));
    },
    close: () => closeSync(descriptor),
  };
}

function inMemory(bytes: Buffer): PriceFile {
  return {
    size: bytes.length,
    read: (from, length) => bytes.subarray(from, from + length),
    close: () => undefined,
  };
}
