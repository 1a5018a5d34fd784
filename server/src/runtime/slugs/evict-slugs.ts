import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../lib/exec.ts';
import { identify } from '../../lib/process-identity.ts';
import { removeTree } from '../../lib/remove-tree.ts';
import { tryEach } from '../../lib/try-each.ts';

/** Somebody may be about to start in it. */
const REST_MS = 10 * 60_000;

export interface Eviction {
  root: string;
  maxBytes: number;
  inUse: () => ReadonlySet<string>;
}

/** Those that were used longest ago go first. */
export async function evictSlugs({ root, maxBytes, inUse }: Eviction): Promise<void> {
  const slugs = listSlugs(root);
  let total = slugs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const rested = slugs.filter(({ usedAt }) => Date.now() - usedAt > REST_MS).toSorted((a, b) => a.usedAt - b.usedAt);
  await tryEach(rested, async ({ name, sizeBytes }) => {
    if (total <= maxBytes || inUse().has(name)) return;
    const gone = join(root, `.draft-${process.pid}-gone-${name}`);
    renameSync(join(root, name), gone);
    total -= sizeBytes;
    await removeTree(gone);
  });
}

/** What was being unpacked or removed by processes that are gone. */
export async function sweepDrafts(root: string): Promise<void> {
  const names = namesIn(root).filter((name) => name.startsWith('.draft-'));
  await tryEach(names.filter(isAbandoned), (name) => removeTree(join(root, name)));
}

const isAbandoned = (name: string): boolean => identify(Number(name.split('-')[1])) === null;

/** Measured once: a tree does not change. */
export async function measureSlug(place: string): Promise<void> {
  const { stdout } = await run(['du', '-s', '--block-size=1', '--', join(place, 'tree')], {
    env: { PATH: '/usr/bin:/bin' },
    timeoutMs: 600_000,
  });
  writeFileSync(join(place, 'size'), String(Number.parseInt(stdout, 10) || 0));
}

function listSlugs(root: string): { name: string; sizeBytes: number; usedAt: number }[] {
  return namesIn(root)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => {
      const status = statSync(join(root, name), { throwIfNoEntry: false });
      return status ? [{ name, sizeBytes: readSize(join(root, name)), usedAt: status.mtimeMs }] : [];
    });
}

function readSize(place: string): number {
  try {
    return Number(readFileSync(join(place, 'size'), 'utf8'));
  } catch {
    return 0;
  }
}

function namesIn(root: string): string[] {
  try {
    return readdirSync(root);
  } catch {
    return [];
  }
}
