import { pathsOf, type Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import { createLocalObjectStore } from './local/local-object-store.ts';
import type { ReceivingStore } from './object-store.ts';

export interface OpenObjectStoreOptions {
  config: Pick<Config, 'home' | 'publicUrl' | 's3'>;
  /** What the platform's own signed addresses are made with. */
  signingKey: Buffer;
  clock: Clock;
}

/** The object store of the configuration: a bucket, or files of this machine. */
export async function openObjectStore({ config, signingKey, clock }: OpenObjectStoreOptions): Promise<ReceivingStore> {
  const { publicUrl, s3: settings } = config;
  if (!settings) return createLocalObjectStore({ root: pathsOf(config).objects, signingKey, publicUrl });
  // Loaded only where it is used: it is large, and most installations have none.
  const { createS3ObjectStore } = await import('./s3/s3-object-store.ts');
  return createS3ObjectStore({ settings, signingKey, publicUrl, clock });
}
