import { readdirSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { PackRefused } from './pack-refused.ts';

export interface OutputFile {
  /** As it is asked for: a leading slash, then where it lies. */
  path: string;
  /** Where its bytes are on this machine; no part of it is a link. */
  source: string;
}

export interface WalkOptions {
  /** As `requireFolder` gives it. */
  folder: string;
  maxFiles: number;
  breathe: () => Promise<void> | undefined;
}

/** The output folder as it really is. Throws `PackRefused` when there is none. */
export function requireFolder(folder: string): string {
  try {
    const root = realpathSync(folder);
    if (statSync(root).isDirectory()) return root;
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new PackRefused(
      'The build left no output folder. Check the output directory in the settings, and that the build writes there.',
      { cause: error },
    );
  }
  throw new PackRefused('The output directory is a file. Name the folder that holds the site.');
}

/** Every file of the output that may be served or holds rules, links resolved. Throws `PackRefused`. */
export async function walkOutput({ folder, maxFiles, breathe }: WalkOptions): Promise<OutputFile[]> {
  const walk: Walk = { root: folder, maxFiles, files: [], seen: 0 };
  const waiting: Folder[] = [{ path: '', source: walk.root, above: [] }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const entry of listFolder(next)) {
      countEntry(walk);
      const inside = visit(walk, next, entry);
      if (inside) waiting.push(inside);
    }
    await breathe();
  }
  return walk.files;
}

interface Walk {
  root: string;
  maxFiles: number;
  files: OutputFile[];
  /** Folders count too: links among empty ones could go on for ever. */
  seen: number;
}

interface Folder {
  path: string;
  source: string;
  /** The folders it is in, as they really are: a link to one of them would never end. */
  above: readonly string[];
}

function listFolder({ path, source }: Folder): Dirent[] {
  try {
    return readdirSync(source, { withFileTypes: true });
  } catch (error) {
    throw new PackRefused(`The folder ${path || '/'} of the output cannot be read. Make it readable in the build.`, {
      cause: error,
    });
  }
}

function countEntry(walk: Walk): void {
  if (++walk.seen <= walk.maxFiles) return;
  throw new PackRefused(
    `The output has more than ${walk.maxFiles.toLocaleString('en')} files and folders. ` +
      'Check that the output directory is the built site, not the whole project.',
  );
}

/** Takes a file, leaves out what is never served, and returns a folder that is to be walked. */
function visit(walk: Walk, parent: Folder, entry: Dirent): Folder | null {
  const path = `${parent.path}/${entry.name}`;
  if (isLeftOut(entry.name)) return null;
  if (entry.name.includes('\uFFFD')) {
    throw new PackRefused(`The name of the file ${path} is not UTF-8, so no address can name it. Rename it.`);
  }
  if (entry.isSymbolicLink()) return visitLink(walk, parent, path);
  return take(walk, { path, source: join(parent.source, entry.name), above: [...parent.above, parent.source] }, entry);
}

function visitLink(walk: Walk, parent: Folder, path: string): Folder | null {
  const source = resolveLink(walk, parent, path);
  if (relative(walk.root, source).split(sep).some(isLeftOut)) return null;
  const above = [...parent.above, parent.source];
  if (above.includes(source)) throw new PackRefused(`The link ${path} leads to a folder it is in. Remove it.`);
  return take(walk, { path, source, above }, statSync(source));
}

function resolveLink({ root }: Walk, parent: Folder, path: string): string {
  const link = join(parent.source, path.slice(parent.path.length + 1));
  let source: string;
  try {
    source = realpathSync(link);
  } catch (error) {
    throw new PackRefused(`The link ${path} leads nowhere in the output. Remove it, or copy the file there.`, {
      cause: error,
    });
  }
  if (source === root || source.startsWith(root + sep)) return source;
  throw new PackRefused(
    `The link ${path} leads out of the output folder. Copy what it leads to into the output instead.`,
  );
}

interface Kind {
  isFile(): boolean;
  isDirectory(): boolean;
}

function take(walk: Walk, found: Folder, kind: Kind): Folder | null {
  if (kind.isDirectory()) return found;
  if (!kind.isFile()) {
    throw new PackRefused(`${found.path} of the output is a device, a socket or a pipe, not a file. Remove it.`);
  }
  walk.files.push({ path: found.path, source: found.source });
  return null;
}

/** Never meant for the public, wherever it lies. */
function isLeftOut(name: string): boolean {
  return name === '.git' || name === '.DS_Store' || name.startsWith('.env');
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '');
}
