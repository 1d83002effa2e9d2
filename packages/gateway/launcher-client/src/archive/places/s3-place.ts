import { ArchiveError } from "../archive-error.ts";
import type { ArchivePlace } from "./place.ts";

const timeouts = { connectionTimeout: 10_000, requestTimeout: 60_000, throwOnRequestTimeout: true };

/**
 * An archive in a bucket. Credentials, region and endpoint come from where the AWS tools take them.
 * @throws ArchiveError the address names no bucket, or the client is not installed
 */
export async function s3Place(address: string, signal?: AbortSignal): Promise<ArchivePlace> {
  const [Bucket, ...folders] = address.slice("s3://".length).split("/").filter(Boolean);
  if (Bucket === undefined) throw new ArchiveError(`${address} is not s3://BUCKET/PREFIX`);
  const s3 = await import("@aws-sdk/client-s3").catch((error: unknown) => {
    throw new ArchiveError("archives on S3 need its client: npm install @aws-sdk/client-s3", {
      cause: error,
    });
  });
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = process.env;
  const client = new s3.S3Client({
    requestHandler: timeouts,
    // Servers other than Amazon's seldom have a name for each bucket.
    forcePathStyle: (AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL) !== undefined,
  });
  const options = signal === undefined ? {} : { abortSignal: signal };
  const prefix = folders.map((folder) => `${folder}/`).join("");
  const of = (path: string) => ({ Bucket, Key: `${prefix}${path}` });
  const hasStatus = (error: unknown, ...statuses: readonly number[]): boolean =>
    error instanceof s3.S3ServiceException &&
    statuses.includes(error.$metadata.httpStatusCode ?? 0);
  return {
    address,
    async put(path, Body) {
      await client.send(new s3.PutObjectCommand({ ...of(path), Body }), options);
    },
    async putNew(path, Body) {
      const command = new s3.PutObjectCommand({ ...of(path), Body, IfNoneMatch: "*" });
      try {
        await client.send(command, options);
        return true;
      } catch (error) {
        // It exists, or another writer is making it.
        if (hasStatus(error, 409, 412)) return false;
        throw error;
      }
    },
    async get(path) {
      try {
        const { Body } = await client.send(new s3.GetObjectCommand(of(path)), options);
        return Buffer.from((await Body?.transformToByteArray()) ?? []);
      } catch (error) {
        if (error instanceof s3.NoSuchKey) return null;
        throw error;
      }
    },
    async list(folder) {
      const paths: string[] = [];
      const query = { Bucket, Prefix: `${prefix}${folder}` };
      for (let ContinuationToken: string | undefined; ; ) {
        const page = await client.send(
          new s3.ListObjectsV2Command({ ...query, ContinuationToken }),
          options,
        );
        for (const { Key = "" } of page.Contents ?? []) paths.push(Key.slice(prefix.length));
        ContinuationToken = page.NextContinuationToken;
        if (ContinuationToken === undefined) return paths;
      }
    },
    async remove(path) {
      await client.send(new s3.DeleteObjectCommand(of(path)), options);
    },
    close: () => client.destroy(),
  };
}
