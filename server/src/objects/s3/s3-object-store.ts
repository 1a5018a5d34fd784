import { DeleteObjectCommand, HeadObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { S3Settings } from '../../config.ts';
import type { Clock } from '../../lib/clock.ts';
import { assertKey, assertPrefix } from '../object-key.ts';
import { ObjectExists, type PutTerms, type ReceivingStore } from '../object-store.ts';
import { signPut } from '../server/signed-address.ts';
import { abortLeftUploads } from './abort-left-uploads.ts';
import { claimObject } from './claim-object.ts';
import { putFiles, putObject } from './put-object.ts';
import { readObject } from './read-object.ts';
import { removeLeftIncoming } from './remove-left-incoming.ts';
import { incomingPlaceOf, openS3, placeOf, type S3Connection } from './s3-connection.ts';
import { isMissing } from './s3-failure.ts';
import { signExactPut, signRead } from './sign-address.ts';

export interface S3ObjectStoreOptions {
  settings: S3Settings;
  /** What addresses are made with that are the platform's own. */
  signingKey: Buffer;
  publicUrl: URL;
  clock: Clock;
  /** How many keys are asked for at a time; left out, as many as the store gives. */
  pageKeys?: number;
}

/** The most that S3 takes in one PUT. */
const ONE_PUT_BYTES = 5 * 1024 ** 3;

/**
 * Objects in a bucket. What comes by a signed address lies apart until somebody looks for it, and is then given its
 * name (`claimObject`): S3 cannot sign "only while there is no object", so nothing that was looked at may lie where an
 * address leads.
 */
export function createS3ObjectStore(options: S3ObjectStoreOptions): ReceivingStore {
  const s3 = openS3(options.settings);
  const now = () => options.clock.now();
  return {
    put: async (key, source) => putObject(s3, placeOf(s3, key), source),
    putNew: async (key, source) => {
      // It may fail while we look, and what is not taken must not wait for a reader.
      source.on('error', () => {});
      if (await sizeOf(s3, key)) {
        source.destroy();
        throw new ObjectExists();
      }
      return await putObject(s3, incomingPlaceOf(s3, key), source);
    },
    // How full the store is nobody can ask it.
    assertRoom: () => Promise.resolve(),
    putFiles: async (files) => putFiles(s3, files),
    stat: async (key) => sizeOf(s3, key),
    read: (key, range) => readObject(s3, key, range),
    remove: async (key) => {
      // In this order: what is left when this is cut off is the object, and not another one.
      await s3.client.send(new DeleteObjectCommand(incomingPlaceOf(s3, key)));
      await s3.client.send(new DeleteObjectCommand(placeOf(s3, key)));
    },
    list: (prefix) => {
      assertPrefix(prefix);
      return listKeys(s3, prefix, options.pageKeys);
    },
    presignPut: async (key, terms) => signTerms(s3, { key, terms, ...options }),
    presignGet: async (key, terms) => {
      await sizeOf(s3, key);
      return await signRead(s3, key, terms, now());
    },
    sweep: async () => {
      await abortLeftUploads(s3, now());
      await removeLeftIncoming(s3, now());
    },
    areAddressesFinal: true,
  };
}

async function sizeOf(s3: S3Connection, key: string): Promise<{ size: number } | null> {
  const head = () => s3.client.send(new HeadObjectCommand(placeOf(s3, key)));
  try {
    return { size: (await head()).ContentLength ?? 0 };
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return (await claimObject(s3, key)) ? { size: (await head()).ContentLength ?? 0 } : null;
}

/** S3 signs for so many bytes, and not for at most so many: those addresses are the platform's own. */
function signTerms(s3: S3Connection, signed: S3ObjectStoreOptions & { key: string; terms: PutTerms }): Promise<string> {
  const { key, terms, signingKey, publicUrl, clock } = signed;
  assertKey(key);
  const { size, contentType, expiresAt } = terms;
  if ('exact' in size && size.exact <= ONE_PUT_BYTES) {
    return signExactPut(s3, key, { contentType, expiresAt, sizeBytes: size.exact }, clock.now());
  }
  return Promise.resolve(signPut(signingKey, publicUrl, { key, terms }));
}

/** What came and has no name yet is there all the same. */
async function* listKeys(s3: S3Connection, prefix: string, pageKeys: number | undefined): AsyncIterable<string> {
  const incoming = new Set<string>();
  for await (const key of listBelow(s3, s3.incomingPrefix, { prefix, pageKeys })) {
    incoming.add(key);
    yield key;
  }
  for await (const key of listBelow(s3, s3.objectsPrefix, { prefix, pageKeys })) if (!incoming.has(key)) yield key;
}

async function* listBelow(
  { client, bucket }: S3Connection,
  root: string,
  { prefix, pageKeys }: { prefix: string; pageKeys: number | undefined },
): AsyncIterable<string> {
  const paging = { client, ...(pageKeys !== undefined && { pageSize: pageKeys }) };
  for await (const page of paginateListObjectsV2(paging, { Bucket: bucket, Prefix: root + prefix })) {
    for (const { Key } of page.Contents ?? []) if (Key) yield Key.slice(root.length);
  }
}
