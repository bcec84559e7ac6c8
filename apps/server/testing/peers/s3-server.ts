import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

/** A local S3 server with one bucket; sets the process's AWS variables to its credentials. */
export interface S3Server extends AsyncDisposable {
  /** FILES_URL of a bucket. */
  filesUrl(bucket: string): string;
}

export const BUCKET = 'steward-files';

export async function startS3Server(): Promise<S3Server> {
  process.env.AWS_ACCESS_KEY_ID = 'S3RVER';
  process.env.AWS_SECRET_ACCESS_KEY = 'S3RVER';
  const directory = mkdtempSync(join(tmpdir(), 'steward-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  const endpoint = encodeURIComponent(`http://127.0.0.1:${port}`);
  return {
    filesUrl: (bucket) => `s3://${bucket}/under/here?endpoint=${endpoint}&path_style=1`,
    async [Symbol.asyncDispose]() {
      server.httpServer.closeAllConnections();
      await new Promise((resolve) => server.httpServer.close(resolve));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
