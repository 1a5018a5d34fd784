import { isUtf8 } from 'node:buffer';
import { Fault } from '../../lib/fault.ts';
import { readMirror, type GitContext } from './git-context.ts';
import type { Mirror } from './mirror.ts';
import type { Repository } from './repository.ts';

export type FileKind = 'file' | 'program' | 'link' | 'submodule';

export interface TreeFile {
  path: string;
  kind: FileKind;
  /** Of the content; of a commit elsewhere for a submodule. */
  id: string;
}

export const MAX_FILES = 100_000;

/**
 * Every file of a commit. Read as it comes and left at the limit: a commit of a few hundred bytes can
 * name more files than any disk holds.
 */
export async function listFiles(
  context: GitContext,
  mirror: Mirror,
  { repository, sha, signal }: { repository: Repository; sha: string; signal?: AbortSignal },
): Promise<TreeFile[]> {
  const files: TreeFile[] = [];
  let rest: Buffer = Buffer.alloc(0);
  const onOutput = (chunk: Buffer): void => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let start = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, start)) {
      files.push(parseFile(repository, bytes.subarray(start, end)));
      start = end + 1;
    }
    rest = bytes.subarray(start);
    if (files.length > MAX_FILES) throw tooMany(repository);
  };
  const args = ['ls-tree', '-r', '-z', '--full-tree', sha, '--'];
  await readMirror(context, mirror, args, { signal, onOutput, maxOutputBytes: 256 * 1024 * 1024 });
  return files;
}

const KINDS: Record<string, FileKind> = { '120000': 'link', '160000': 'submodule', '100755': 'program' };

function parseFile(repository: Repository, bytes: Buffer): TreeFile {
  const line = bytes.toString('utf8');
  const tab = line.indexOf('\t');
  const [mode = '', , id = ''] = line.slice(0, tab).split(' ');
  const path = line.slice(tab + 1);
  // Names that are no text could be mistaken for one another where links are followed.
  if (!isWritable(path) || !isUtf8(bytes)) {
    throw new Fault('VA003', `${repository.owner}/${repository.name} holds a file that may not be written: "${path}".`);
  }
  return { path, kind: KINDS[mode] ?? 'file', id };
}

/** git refuses such trees when it fetches them; nothing here relies on it. */
function isWritable(path: string): boolean {
  if (Buffer.byteLength(path) > 3000) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git');
}

const tooMany = ({ owner, name }: Repository) =>
  new Fault(
    'VA003',
    `${owner}/${name} has more than ${MAX_FILES.toLocaleString('en')} files, which is more than can be deployed.`,
  );
