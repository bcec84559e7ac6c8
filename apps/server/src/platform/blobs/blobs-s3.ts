import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { S3Driver } from 'flydrive/drivers/s3';
import type { BlobStore } from './blobs.ts';
import type { Bucket } from './files-url.ts';

/** Timeouts of each attempt, in milliseconds. */
const CONNECT_MS = 3_000;
const RESPONSE_TIMEOUT_MS = 20_000;
const MAX_ATTEMPTS = 3;

/**
 * Blobs in a bucket of any S3-compatible service. Credentials come from the SDK's own chain: AWS_ACCESS_KEY_ID and
 * AWS_SECRET_ACCESS_KEY, a profile, or the machine's role.
 */
export function createBucketBlobs(place: Bucket): BlobStore {
  let opened: Promise<S3Driver> | undefined;
  const driver = () => {
    opened ??= openDriver(place);
    return opened;
  };
  const put = async (key: string, content: Uint8Array) => {
    await (await driver()).put(place.prefix + key, content, { contentType: 'application/octet-stream' });
  };
  return {
    put,
    // The service wants the length first, and a blob is small.
    putStream: async (key, content) => put(key, await buffer(content)),
    async get(key) {
      try {
        return (await (await driver()).getStream(place.prefix + key)) as Readable;
      } catch (error) {
        if ((error as Error).name === 'NoSuchKey') return undefined;
        throw error;
      }
    },
    async remove(key) {
      await (await driver()).delete(place.prefix + key);
    },
    async move(from, to) {
      try {
        await (await driver()).move(place.prefix + from, place.prefix + to);
        return true;
      } catch (error) {
        if ((error as Error).name === 'NoSuchKey') return false;
        throw error;
      }
    },
    async removeAll(prefix) {
      await (await driver()).deleteAll(place.prefix + prefix);
    },
  };
}

/** Loads the SDK on first use, so that it costs nothing without S3. */
async function openDriver({ bucket, region, endpoint, pathStyle }: Bucket): Promise<S3Driver> {
  const { S3Driver: Driver } = await import('flydrive/drivers/s3');
  return new Driver({
    bucket,
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    forcePathStyle: pathStyle,
    visibility: 'private',
    // The bucket decides who may read; services without ACLs refuse the header.
    supportsACL: false,
    // Not every service supports the newer checksums; TLS and the body's signature protect the transfer.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: RESPONSE_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      socketTimeout: RESPONSE_TIMEOUT_MS,
    },
  });
}
