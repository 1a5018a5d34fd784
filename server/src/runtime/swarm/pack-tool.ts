import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Transform } from 'node:stream';
import { start } from '../../lib/exec.ts';
import type { ObjectStore } from '../../objects/object-store.ts';

export interface PackDeps {
  objects: ObjectStore;
  sealKey: Buffer;
}

export interface PackedTool {
  key: string;
  hash: string;
}

const packing = new Map<string, Promise<string>>();

/** A folder of a tool is named by its version, and never changes: it is packed once for all hosts. */
export async function packTool(name: string, from: string, deps: PackDeps): Promise<PackedTool> {
  const begun = packing.get(name) ?? findOrPack(name, from, deps);
  packing.set(name, begun);
  begun.catch(() => packing.delete(name));
  return { key: keyOf(name), hash: await begun };
}

const keyOf = (name: string): string => `${name}.tar.zst`;
const sealOf = (name: string): string => `${name}.seal`;

/**
 * Its hash lies beside it, so whoever can write the one can write the other: only what is sealed by the platform is
 * believed, and packed again otherwise.
 */
async function findOrPack(name: string, from: string, { objects, sealKey }: PackDeps): Promise<string> {
  if (await objects.stat(sealOf(name))) {
    const hash = openSeal(name, await readText(objects, sealOf(name)), sealKey);
    if (hash) return hash;
  }
  const hash = await pack(objects, { key: keyOf(name), from });
  await objects.put(sealOf(name), Buffer.from(`${hash} ${seal(name, hash, sealKey)}`));
  return hash;
}

const seal = (name: string, hash: string, key: Buffer): string =>
  createHmac('sha256', key).update(`tool ${name} ${hash}`).digest('hex');

/** Null when nobody of the platform has written it. */
export function openSeal(name: string, text: string, key: Buffer): string | null {
  const [hash = '', given = ''] = text.split(' ');
  const wanted = Buffer.from(seal(name, hash, key));
  const said = Buffer.from(given);
  return said.length === wanted.length && timingSafeEqual(said, wanted) ? hash : null;
}

async function pack(objects: ObjectStore, { key, from }: { key: string; from: string }): Promise<string> {
  const digest = createHash('sha256');
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      digest.update(chunk);
      done(null, chunk);
    },
  });
  const words = ['--create', '--zstd', '--file=-', '--owner=0', '--group=0', '--directory', from, '.'] as const;
  const tar = start(['tar', ...words], { env: { PATH: '/usr/bin:/bin' }, stdio: ['ignore', 'pipe', 'ignore'] });
  tar.once('close', (code) => (code === 0 ? measure.end() : measure.destroy(new Error(`tar cannot pack ${from}`))));
  tar.stdout!.pipe(measure, { end: false });
  await objects.put(key, measure);
  return digest.digest('hex');
}

async function readText(objects: ObjectStore, key: string): Promise<string> {
  const chunks = await objects.read(key).toArray();
  return Buffer.concat(chunks as Buffer[]).toString();
}
