import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../lib/exec.ts';
import type { Isolation, Mount } from '../../sandbox/sandbox.ts';
import { BuildFailed } from '../builder.ts';
import { inner } from '../inner-paths.ts';
import { chownTree, type Workspace } from '../workspace.ts';
import { isPlainFolder, type InstalledTrees } from './installed-trees.ts';

/** How kept packages come into a build without the build being able to change them. */
export interface LaidOut {
  mounts: Mount[];
  /** Where they are laid, relative to the project's files. */
  places: readonly string[];
  /** Where what the build writes at a path of the project really lands. */
  realPath(path: string): string;
}

/** Laid over where that can be; linked as somebody else's files where we are root; copied otherwise. */
export async function layOutTrees(
  { folder, places }: InstalledTrees,
  workspace: Workspace,
  { canOverlay, isRoot }: Pick<Isolation, 'canOverlay' | 'isRoot'>,
): Promise<LaidOut> {
  const trees = places.map((place, index) => ({
    place,
    lower: join(folder, String(index)),
    upper: join(workspace.layers, `${index}-upper`),
    work: join(workspace.layers, `${index}-work`),
  }));
  if (!canOverlay) {
    for (const { place, lower } of trees)
      await copyTree(lower, join(workspace.source, place), isRoot ? workspace.uid : null);
    return nothingLaidOut(workspace);
  }
  for (const { place, upper, work } of trees) {
    for (const made of [upper, work, join(workspace.source, place)])
      await makeFolder(made, isRoot ? workspace.uid : null);
  }
  return {
    places,
    mounts: trees.map(({ place, lower, upper, work }) => ({
      kind: 'overlay',
      lower,
      upper,
      work,
      at: join(inner.source, place),
    })),
    realPath(path) {
      const tree = trees.find(({ place }) => path === place || path.startsWith(`${place}/`));
      return tree ? join(tree.upper, path.slice(tree.place.length)) : join(workspace.source, path);
    },
  };
}

export function nothingLaidOut({ source }: Pick<Workspace, 'source'>): LaidOut {
  return { mounts: [], places: [], realPath: (path) => join(source, path) };
}

/** A step may have moved a place away and left a link there, and mounts follow links. */
export async function requirePlaces({ source }: Pick<Workspace, 'source'>, { places }: LaidOut): Promise<void> {
  for (const place of places) {
    if (await isPlainFolder(source, place)) continue;
    throw new BuildFailed(`The install scripts moved the folder of ${place} away; leave it where it is.`);
  }
}

async function makeFolder(path: string, uid: number | null): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o755 });
  if (uid !== null) await chown(path, uid, uid);
}

/** The files stay root's, so the build can replace but not change them; the folders become its own. */
async function copyTree(from: string, to: string, uid: number | null): Promise<void> {
  const options = { env: { PATH: '/usr/bin:/bin' }, timeoutMs: 300_000 };
  if (uid !== null) {
    await chownTree([from], 0);
    await run(['chmod', '-R', 'a+rX', '--', from], options);
  }
  const how = uid === null ? ['-a', '--reflink=auto'] : ['-al'];
  const { exitCode, stderr } = await run(['cp', ...how, '--', from, to], options);
  if (exitCode !== 0) throw new Error(`cannot lay out the kept packages: ${stderr.slice(0, 1000)}`);
  if (uid !== null) await run(['find', to, '-type', 'd', '-exec', 'chown', `${uid}:${uid}`, '{}', '+'], options);
}
