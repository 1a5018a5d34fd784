import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Transform } from 'node:stream';
import { blobKey } from '../../artifacts/static-manifest.ts';
import { start } from '../../lib/exec.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { inner } from '../inner-paths.ts';
import { StartRefused, type InstanceSpec } from '../runtime.ts';
import type { Tools } from '../tools.ts';
import type { Parcel } from './init/agreement.ts';

/** An address is good for as long as a task may take to come to it. */
const GOOD_FOR_MS = 15 * 60_000;

/** What a task has to fetch: the program's tree, and the tools that the image lacks. */
export async function parcelsOf(
  spec: InstanceSpec,
  { objects, tools, nodeVersion }: { objects: ObjectStore; tools: Tools; nodeVersion: string },
): Promise<Parcel[]> {
  const { hash } = spec.slug;
  if (!(await objects.stat(blobKey(hash)))) {
    throw new StartRefused('The files of this deployment are gone. Deploy it again.');
  }
  const own = { at: inner.app, hash, url: await addressOf(objects, blobKey(hash)), isOwn: true };
  const folders = tools.mounts.flatMap((mount) => (mount.kind === 'folder' ? [mount] : []));
  return [own, ...(await Promise.all(folders.map((folder) => toolParcel(folder, { objects, nodeVersion }))))];
}

async function toolParcel(
  { from, at }: { from: string; at: string },
  { objects, nodeVersion }: { objects: ObjectStore; nodeVersion: string },
): Promise<Parcel> {
  const program = relative(realpathSync(from), realpathSync(process.execPath));
  if (!program.startsWith('..') && nodeVersion === process.versions.node) return { at, node: program };
  const name = createHash('sha256')
    .update(`${process.arch} ${realpathSync(from)}`)
    .digest('hex')
    .slice(0, 32);
  const hash = await packedOnce(objects, { key: `tools/${name}`, from });
  return { at, hash, url: await addressOf(objects, `tools/${name}.tar.zst`), isOwn: false };
}

const packing = new Map<string, Promise<string>>();

/** A folder of a tool is named by its version, and never changes: it is packed once for all hosts. */
function packedOnce(objects: ObjectStore, folder: { key: string; from: string }): Promise<string> {
  const begun = packing.get(folder.key) ?? pack(objects, folder);
  packing.set(folder.key, begun);
  begun.catch(() => packing.delete(folder.key));
  return begun;
}

async function pack(objects: ObjectStore, { key, from }: { key: string; from: string }): Promise<string> {
  if (await objects.stat(`${key}.sha256`)) return readText(objects, `${key}.sha256`);
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
  await objects.put(`${key}.tar.zst`, measure);
  const hash = digest.digest('hex');
  await objects.put(`${key}.sha256`, Buffer.from(hash));
  return hash;
}

async function readText(objects: ObjectStore, key: string): Promise<string> {
  const chunks = await objects.read(key).toArray();
  return Buffer.concat(chunks as Buffer[]).toString();
}

const addressOf = (objects: ObjectStore, key: string): Promise<string> =>
  objects.presignGet(key, {
    contentType: 'application/octet-stream',
    fileName: join('/', key).split('/').at(-1) ?? 'files',
    expiresAt: new Date(Date.now() + GOOD_FOR_MS),
  });
