import { chownSync, mkdirSync, renameSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../lib/log.ts';
import { run } from '../../lib/exec.ts';
import { removeTree } from '../../lib/remove-tree.ts';
import { evictSlugs, measureSlug, sweepDrafts } from './evict-slugs.ts';

/** The trees that instances run in, unpacked once on this machine. */
export interface SlugCache {
  /** The folder of the tree, which belongs to the uid; unpacked when it is not there. */
  use(slug: SlugUse): Promise<string>;
  /** Removes what was used longest ago and is not in use, beyond the size; and what was left half-done. */
  evict(): Promise<void>;
}

export interface SlugUse {
  artifactId: string;
  hash: string;
  uid: number;
}

export interface SlugCacheDeps {
  root: string;
  log: Log;
  /** Fills an empty folder that belongs to the uid. */
  unpack: (slug: SlugUse, folder: string) => Promise<void>;
  /** The artifacts whose trees are in use. */
  inUse: () => ReadonlySet<string>;
  maxBytes?: number;
}

const MAX_BYTES = 10 * 1024 ** 3;
const isRoot = process.getuid?.() === 0;
let drafts = 0;

export function createSlugCache({ root, log, unpack, inUse, maxBytes = MAX_BYTES }: SlugCacheDeps): SlugCache {
  const underWay = new Map<string, Promise<string>>();
  const placeOf = (artifactId: string) => join(root, artifactId);
  const evict = async () => {
    await sweepDrafts(root);
    await evictSlugs({ root, maxBytes, inUse });
  };

  async function prepare(slug: SlugUse): Promise<string> {
    const place = placeOf(slug.artifactId);
    if (!isThere(place)) {
      await fill(slug);
      evict().catch((error: unknown) => log.error({ err: error }, 'trees of servers could not be evicted'));
    }
    touch(place);
    await giveTo(slug.uid, treeOf(place), inUse().has(slug.artifactId));
    return treeOf(place);
  }

  async function fill(slug: SlugUse): Promise<void> {
    const draft = makeDraft(root, slug.artifactId);
    try {
      mkdirSync(treeOf(draft), { mode: 0o755 });
      if (isRoot) chownSync(treeOf(draft), slug.uid, slug.uid);
      await unpack(slug, treeOf(draft));
      await settle(draft, placeOf(slug.artifactId));
    } catch (error) {
      await removeTree(draft);
      throw error;
    }
  }

  return {
    use(slug) {
      const key = `${slug.artifactId} ${slug.uid}`;
      const preparing = underWay.get(key) ?? prepare(slug).finally(() => underWay.delete(key));
      underWay.set(key, preparing);
      return preparing;
    },
    evict,
  };
}

/** Beside the tree lies its size, so the tree is one folder deeper. */
const treeOf = (place: string): string => join(place, 'tree');

function makeDraft(root: string, artifactId: string): string {
  const draft = join(root, `.draft-${process.pid}-${drafts++}-${artifactId}`);
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  return draft;
}

/** Where somebody was faster, theirs stays: it is the same tree. */
async function settle(draft: string, place: string): Promise<void> {
  await measureSlug(draft);
  try {
    renameSync(draft, place);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    await removeTree(draft);
  }
}

/** An instance may write only into what is its own. What another one runs in at this moment is left as it is. */
async function giveTo(uid: number, tree: string, isInUse: boolean): Promise<void> {
  const owner = statSync(tree).uid;
  if (!isRoot || owner === uid || isInUse) return;
  // The root of the tree last: that it is right means that all is.
  const { exitCode, stderr } = await run(
    ['find', tree, '-depth', '-exec', 'chown', '-h', `+${uid}:+${uid}`, '--', '{}', '+'],
    { env: { PATH: '/usr/bin:/bin' }, timeoutMs: 600_000 },
  );
  if (exitCode !== 0) throw new Error(`${tree} could not be given to its user: ${stderr.slice(0, 500)}`);
}

/** What was used lately is not evicted. */
function touch(place: string): void {
  const now = new Date();
  utimesSync(place, now, now);
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;
