import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { S3Settings } from '../../../config.ts';

export interface S3Server extends AsyncDisposable {
  settings: S3Settings;
  /** What `settings` are read from. */
  environment: Record<`LILAC_S3_${string}`, string>;
  /** Ends it as if the machine it runs on were gone. */
  stop(): Promise<void>;
}

/** What the server knows, and no other. */
const KEY = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

export async function startS3Server(at = '127.0.0.1'): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-s3-'));
  const bucket = 'lilac-objects';
  // Its tokens for the next page are made with a cipher that nobody uses any more.
  const argv = [
    '--openssl-legacy-provider',
    join(import.meta.dirname, 's3-server-process.ts'),
    folder,
    bucket,
    '0',
    at,
  ];
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string];
  const endpoint = new URL(`http://${at}:${port}`);
  const stop = async () => {
    child.kill('SIGKILL');
    await closed;
  };
  return {
    settings: {
      bucket,
      endpoint,
      publicEndpoint: null,
      region: 'us-east-1',
      prefix: 'lilac/',
      isPathStyle: true,
      credentials: KEY,
    },
    environment: {
      LILAC_S3_BUCKET: bucket,
      LILAC_S3_ENDPOINT: endpoint.origin,
      LILAC_S3_PREFIX: 'lilac/',
      LILAC_S3_ACCESS_KEY_ID: KEY.accessKeyId,
      LILAC_S3_SECRET_ACCESS_KEY: KEY.secretAccessKey,
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
