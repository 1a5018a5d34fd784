import { createHash, createHmac, randomBytes } from 'node:crypto';
import { pipeline, Transform } from 'node:stream';
import { createSlugCompressor } from '../../artifacts/compress-slug.ts';
import type { Leadership } from '../../jobs/leadership.ts';
import { isSameText } from '../../lib/same-text.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { StartRefused } from '../runtime.ts';
import { archiveOf } from './archive-folder.ts';

export interface PackDeps {
  objects: ObjectStore;
  /** Nobody who can write objects knows it. */
  sealKey: Buffer;
  leadership: Pick<Leadership, 'certain'>;
}

export interface PackedTool {
  key: string;
  hash: string;
}

const packing = new Map<string, Promise<PackedTool>>();

/** What has this name never changes: it is packed once for all hosts. */
export function packTool(name: string, from: string, deps: PackDeps): Promise<PackedTool> {
  const begun = packing.get(name) ?? findOrPack(name, from, deps);
  packing.set(name, begun);
  begun.catch(() => packing.delete(name));
  return begun;
}

const sealOf = (name: string): string => `${name}.seal`;

/**
 * Its hash lies beside it, so whoever can write the one can write the other: only what is sealed by the platform is
 * believed, and packed again otherwise. Archives of one folder differ, and two workers may pack it at once: each writes
 * a key that nobody else writes, so that whichever seal is the last, its hash fits.
 */
export async function findOrPack(name: string, from: string, deps: PackDeps): Promise<PackedTool> {
  const { objects, sealKey, leadership } = deps;
  if (await objects.stat(sealOf(name))) {
    const found = openSeal(name, await readText(objects, sealOf(name)), sealKey);
    if (found && (await objects.stat(found.key))) return found;
  }
  const key = `${name}-${randomBytes(8).toString('hex')}.tar.zst`;
  await leadership.certain();
  const packed = { key, hash: await pack(objects, { key, from }) };
  await leadership.certain();
  await objects.put(sealOf(name), Buffer.from(`${packed.hash} ${key} ${seal(name, packed, sealKey)}`));
  return packed;
}

const seal = (name: string, { key, hash }: PackedTool, sealKey: Buffer): string =>
  createHmac('sha256', sealKey).update(`tool ${name} ${key} ${hash}`).digest('hex');

/** Null when nobody of the platform has written it. */
export function openSeal(name: string, text: string, sealKey: Buffer): PackedTool | null {
  const [hash = '', key = '', given = ''] = text.split(' ');
  return isSameText(given, seal(name, { key, hash }, sealKey)) ? { key, hash } : null;
}

async function pack(objects: ObjectStore, { key, from }: { key: string; from: string }): Promise<string> {
  const digest = createHash('sha256');
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      digest.update(chunk);
      done(null, chunk);
    },
  });
  let failure: Error | null = null;
  pipeline(archiveOf(from), createSlugCompressor(), measure, (error) => (failure = error ?? null));
  try {
    await objects.put(key, measure);
  } catch (error) {
    // A store may tell it in words of its own.
    throw (failure as Error | null) instanceof StartRefused ? failure : error;
  }
  return digest.digest('hex');
}

async function readText(objects: ObjectStore, key: string): Promise<string> {
  const chunks = await objects.read(key).toArray();
  return Buffer.concat(chunks as Buffer[]).toString();
}
