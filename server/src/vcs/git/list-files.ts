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

/** With their folders, each of which takes as much of a disk. */
const MAX_FILES = 100_000;
const MAX_DEPTH = 255;

/**
 * Every file of a commit. Read as it comes and left at the limit: a commit of a few hundred bytes can
 * name more files and folders than any disk holds.
 */
export async function listFiles(
  context: GitContext,
  mirror: Mirror,
  { repository, sha, signal }: { repository: Repository; sha: string; signal?: AbortSignal },
): Promise<TreeFile[]> {
  const files: TreeFile[] = [];
  let count = 0;
  let rest: Buffer = Buffer.alloc(0);
  const onOutput = (chunk: Buffer): void => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let start = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, start)) {
      const file = parseFile(repository, bytes.subarray(start, end));
      if (file) files.push(file);
      count += 1;
      start = end + 1;
    }
    rest = bytes.subarray(start);
    if (count > MAX_FILES) throw tooMany(repository);
  };
  // Folders too: they would be made, and there may be any number of them without a file.
  const args = ['ls-tree', '-r', '-t', '-z', '--full-tree', sha, '--'];
  await readMirror(context, mirror, args, { signal, onOutput, maxOutputBytes: 256 * 1024 * 1024 });
  return files;
}

const KINDS: Record<string, FileKind> = { '120000': 'link', '160000': 'submodule', '100755': 'program' };

/** Null for a folder. */
function parseFile(repository: Repository, bytes: Buffer): TreeFile | null {
  const line = bytes.toString('utf8');
  const tab = line.indexOf('\t');
  const [mode = '', type, id = ''] = line.slice(0, tab).split(' ');
  const path = line.slice(tab + 1);
  // Names that are no text could be mistaken for one another where links are followed.
  if (!isWritable(path) || !isUtf8(bytes)) {
    throw new Fault('VA003', `${repository.owner}/${repository.name} holds a file that may not be written: "${path}".`);
  }
  if (path.split('/').length > MAX_DEPTH) throw tooDeep(repository);
  if (type === 'tree') return null;
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
    `${owner}/${name} has more than ${MAX_FILES.toLocaleString('en')} files and folders, which is more than can be deployed.`,
  );

const tooDeep = ({ owner, name }: Repository) =>
  new Fault('VA003', `${owner}/${name} has folders more than ${MAX_DEPTH} levels deep, which cannot be deployed.`);
