import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { blobKey } from '../../artifacts/static-manifest.ts';
import { systemClock, type Clock } from '../../lib/clock.ts';
import { inner } from '../inner-paths.ts';
import { StartRefused, type InstanceSpec } from '../runtime.ts';
import type { Tools } from '../tools.ts';
import type { Parcel } from './init/agreement.ts';
import { packTool, type PackDeps } from './pack-tool.ts';

/** An address is good for as long as a task may take to come to it. */
const GOOD_FOR_MS = 15 * 60_000;

export interface ParcelDeps extends PackDeps {
  tools: Tools;
  /** What the task has already. */
  nodeVersion: string;
  clock?: Clock;
}

/** What a task has to fetch: the program's tree, and the tools that the image lacks. */
export async function parcelsOf(spec: InstanceSpec, deps: ParcelDeps): Promise<Parcel[]> {
  const { objects, tools } = deps;
  const { hash } = spec.slug;
  if (!(await objects.stat(blobKey(hash)))) {
    throw new StartRefused('The files of this deployment are gone. Deploy it again.');
  }
  const own = { at: inner.app, hash, url: await addressOf(blobKey(hash), deps), isOwn: true };
  const folders = tools.mounts.flatMap((mount) => (mount.kind === 'folder' ? [mount] : []));
  return [own, ...(await Promise.all(folders.map((folder) => toolParcel(folder, deps))))];
}

async function toolParcel({ from, at }: { from: string; at: string }, deps: ParcelDeps): Promise<Parcel> {
  const { nodeVersion, tools } = deps;
  const node = tools.node?.at === at ? tools.node : null;
  if (node?.version === nodeVersion) return { at, node: relative(at, node.program) };
  // Folders of tools are named by their versions; but the platform's own Node lies where the one before it lay.
  const name = nameOf(process.arch, realpathSync(from), ...(node ? [node.version] : []));
  const { hash, key } = await packTool(`tools/${name}`, from, deps);
  return { at, hash, url: await addressOf(key, deps), isOwn: false };
}

function nameOf(...parts: string[]): string {
  return createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 32);
}

const addressOf = (key: string, { objects, clock = systemClock }: ParcelDeps): Promise<string> =>
  objects.presignGet(key, {
    contentType: 'application/octet-stream',
    fileName: join('/', key).split('/').at(-1) ?? 'files',
    expiresAt: new Date(clock.now().getTime() + GOOD_FOR_MS),
  });
