import type { GitContext } from './git-context.ts';
import type { TreeFile } from './list-files.ts';
import type { Mirror } from './mirror.ts';
import { readBlobs } from './read-blobs.ts';

/** A pointer is a text of about 130 bytes that begins with this. */
const POINTER = 'version https://git-lfs.github.com/spec/v1';
const MAX_POINTER_BYTES = 200;
const MAX_ATTRIBUTES_BYTES = 64 * 1024;

/** Paths of the files whose content is kept elsewhere. Looked for only where an attributes file speaks of it. */
export async function findLfsPointers(
  context: GitContext,
  mirror: Mirror,
  { files, sizes, signal }: { files: readonly TreeFile[]; sizes: ReadonlyMap<string, number>; signal: AbortSignal },
): Promise<string[]> {
  const isBelow = (id: string, bytes: number) => (sizes.get(id) ?? Infinity) <= bytes;
  const attributes = files.filter(
    ({ path, id }) => /(^|\/)\.gitattributes$/.test(path) && isBelow(id, MAX_ATTRIBUTES_BYTES),
  );
  const texts = await readBlobs(context, mirror, { ids: attributes.map(({ id }) => id), signal });
  if (![...texts.values()].some((text) => text.includes('filter=lfs'))) return [];
  const small = files.filter(({ kind, id }) => kind === 'file' && isBelow(id, MAX_POINTER_BYTES));
  const contents = await readBlobs(context, mirror, { ids: small.map(({ id }) => id), signal });
  return small.filter(({ id }) => contents.get(id)?.toString('latin1').startsWith(POINTER)).map(({ path }) => path);
}
