import { lstatSync, opendirSync, readlinkSync, realpathSync, statSync, type Dir, type Dirent } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Breathe } from '../lib/breather.ts';
import { createLinkResolver, type LinkedTree, type LinkResolver } from '../source/link-resolver.ts';
import { isLeftOut, isPrivateKey } from './left-out.ts';
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
  /** Awaited after every entry: lets others have their turn, and throws when the work is to stop. */
  breathe: Breathe;
}

/** Of folders within folders; files in deeper ones could not be named on every system. */
const MAX_DEPTH = 255;

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
  const resolver = createLinkResolver(linksOnDisk(), { root: 'system', tangled });
  const walk: Walk = { root: folder, maxFiles, resolver, breathe, files: [], seen: 0 };
  const waiting: Folder[] = [{ path: '', source: walk.root, parent: null, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    using listing = openFolder(next);
    for (let entry = readNext(next, listing); entry; entry = readNext(next, listing)) {
      countEntry(walk);
      const inside = await visit(walk, next, entry);
      if (inside) waiting.push(inside);
      await breathe();
    }
  }
  return walk.files;
}

interface Walk extends Omit<WalkOptions, 'folder'> {
  root: string;
  resolver: LinkResolver;
  files: OutputFile[];
  /** Folders count too: links among empty ones could go on for ever. */
  seen: number;
}

interface Folder {
  path: string;
  source: string;
  /** The folder it was met in: a link to one of those above would never end. */
  parent: Folder | null;
  depth: number;
}

/** Each place is looked at once, however many links lead through it. Paths begin below the root of the machine. */
function linksOnDisk(): LinkedTree {
  const targets = new Map<string, { target: string | undefined; isFolder: boolean }>();
  const look = (path: string) => {
    const known = targets.get(path);
    if (known) return known;
    const facts = lstatSync(`/${path}`, { throwIfNoEntry: false });
    const target = facts?.isSymbolicLink() ? readlinkSync(`/${path}`) : undefined;
    const found = { target, isFolder: facts?.isDirectory() ?? false };
    targets.set(path, found);
    return found;
  };
  return { targetOf: (path) => look(path).target, isFolder: (path) => path === '' || look(path).isFolder };
}

const tangled = () =>
  new PackRefused('The links in the output are too tangled to be followed. Copy what they lead to instead.');

/** Entry by entry: a folder may hold any number of them. */
function openFolder({ path, source }: Folder): Dir {
  try {
    return opendirSync(source, { bufferSize: 512 });
  } catch (error) {
    throw unreadable(path, error);
  }
}

function readNext({ path }: Folder, listing: Dir): Dirent | null {
  try {
    return listing.readSync();
  } catch (error) {
    throw unreadable(path, error);
  }
}

const unreadable = (path: string, cause: unknown) =>
  new PackRefused(`The folder ${path || '/'} of the output cannot be read. Make it readable in the build.`, { cause });

function countEntry(walk: Walk): void {
  if (++walk.seen <= walk.maxFiles) return;
  throw new PackRefused(
    `The output has more than ${walk.maxFiles.toLocaleString('en')} files and folders. ` +
      'Check that the output directory is the built site, not the whole project.',
  );
}

/** Takes a file, leaves out what is never served, and returns a folder that is to be walked. */
async function visit(walk: Walk, parent: Folder, entry: Dirent): Promise<Folder | null> {
  const path = `${parent.path}/${entry.name}`;
  if (isLeftOut(entry.name)) return null;
  if (entry.name.includes('\uFFFD')) {
    throw new PackRefused(`The name of the file ${path} is not UTF-8, so no address can name it. Rename it.`);
  }
  if (entry.isSymbolicLink()) return visitLink(walk, parent, path);
  return take(walk, { path, source: join(parent.source, entry.name), parent, depth: parent.depth + 1 }, entry);
}

async function visitLink(walk: Walk, parent: Folder, path: string): Promise<Folder | null> {
  const source = await resolveLink(walk, parent, path);
  if (relative(walk.root, source).split(sep).some(isLeftOut)) return null;
  if (isWithin(parent, source)) throw new PackRefused(`The link ${path} leads to a folder it is in. Remove it.`);
  const facts = statSync(source, { throwIfNoEntry: false });
  if (!facts) throw leadsNowhere(path);
  return take(walk, { path, source, parent, depth: parent.depth + 1 }, facts);
}

function isWithin(folder: Folder, source: string): boolean {
  for (let above: Folder | null = folder; above; above = above.parent) if (above.source === source) return true;
  return false;
}

async function resolveLink({ root, resolver, breathe }: Walk, parent: Folder, path: string): Promise<string> {
  const link = join(parent.source, path.slice(parent.path.length + 1));
  const end = await followLink(resolver, link, breathe);
  if (end === null) throw leadsNowhere(path);
  const source = `/${end}`;
  if (source === root || source.startsWith(root + sep)) return source;
  throw new PackRefused(
    `The link ${path} leads out of the output folder. Copy what it leads to into the output instead.`,
  );
}

async function followLink(resolver: LinkResolver, link: string, breathe: Breathe): Promise<string | null> {
  try {
    return await resolver.followSlowly(link.slice(1), breathe);
  } catch (error) {
    // A place on the way that may not be looked at, or whose name is too long.
    if (['EACCES', 'EPERM', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

const leadsNowhere = (path: string) =>
  new PackRefused(`The link ${path} leads nowhere in the output. Remove it, or copy the file there.`);

interface Kind {
  isFile(): boolean;
  isDirectory(): boolean;
}

function take(walk: Walk, found: Folder, kind: Kind): Folder | null {
  if (kind.isDirectory() && found.depth > MAX_DEPTH) {
    throw new PackRefused(`The output has folders more than ${MAX_DEPTH} levels deep. Build it with fewer.`);
  }
  if (kind.isDirectory()) return found;
  if (!kind.isFile()) {
    throw new PackRefused(`${found.path} of the output is a device, a socket or a pipe, not a file. Remove it.`);
  }
  if (!isPrivateKey(found.source)) walk.files.push({ path: found.path, source: found.source });
  return null;
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '');
}
