import { createBreather } from '../../lib/breather.ts';
import { readMirror, type GitContext } from './git-context.ts';
import { MirrorBroken } from './git-failure.ts';
import type { Mirror } from './mirror.ts';

/** Sizes of the objects that are in the mirror; the others are missing from the answer. Nothing is fetched. */
export async function sizesOf(
  context: GitContext,
  mirror: Mirror,
  { ids, signal }: { ids: Iterable<string>; signal?: AbortSignal },
): Promise<Map<string, number>> {
  const input = [...new Set(ids)].join('\n');
  if (!input) return new Map();
  const args = ['cat-file', '--batch-check=%(objectname) %(objectsize)', '--buffer'];
  const { stdout } = await readMirror(context, mirror, args, { input: `${input}\n`, signal });
  const sizes = new Map<string, number>();
  const breathe = createBreather(signal);
  for (let start = 0, end = stdout.indexOf(10); end >= 0; start = end + 1, end = stdout.indexOf(10, start)) {
    const [id = '', size = ''] = stdout.toString('latin1', start, end).split(' ');
    if (/^\d+$/.test(size)) sizes.set(id, Number(size));
    await breathe();
  }
  return sizes;
}

/** The contents of small objects that are in the mirror. */
export async function readBlobs(
  context: GitContext,
  mirror: Mirror,
  { ids, signal }: { ids: Iterable<string>; signal?: AbortSignal },
): Promise<Map<string, Buffer>> {
  const input = [...new Set(ids)].join('\n');
  const contents = new Map<string, Buffer>();
  if (!input) return contents;
  const { stdout } = await readMirror(context, mirror, ['cat-file', '--batch', '--buffer'], {
    input: `${input}\n`,
    signal,
  });
  const breathe = createBreather(signal);
  let start = 0;
  while (start < stdout.length) {
    const end = stdout.indexOf(10, start);
    const [id = '', , size = ''] = stdout.toString('latin1', start, end).split(' ');
    if (end < 0 || !/^\d+$/.test(size)) throw new MirrorBroken(`an object is missing: ${id}`);
    const next = end + 1 + Number(size);
    contents.set(id, stdout.subarray(end + 1, next));
    start = next + 1;
    await breathe();
  }
  return contents;
}
