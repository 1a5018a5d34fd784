import { createBreather, type Breathe } from '../../lib/breather.ts';
import { createLinkResolver, type LinkResolver } from '../link-resolver.ts';
import { ArchiveBytes } from './archive-bytes.ts';
import type { ArchiveEntry } from './archive-entry.ts';
import { archiveLimits, type ArchiveLimits } from './archive-limits.ts';
import type { ArchiveSource } from './archive-source.ts';
import { checkPaths, checkTop, isJunk, placeEntries } from './check-layout.ts';
import { checkSizes } from './check-sizes.ts';
import { readSmall } from './entry-data.ts';
import { assertLeadsInside } from './link-target.ts';
import { readDirectory } from './read-directory.ts';
import { refuseArchive } from './refuse-archive.ts';

/** An archive that was looked through and may be unpacked. */
export interface ReadArchive {
  bytes: ArchiveBytes;
  /** In the order in which they lie in the archive; without what a Mac adds by itself. */
  entries: ArchiveEntry[];
  /** Where each link leads. */
  links: ReadonlyMap<string, string>;
  /** Outer ones first. */
  folders: ReadonlySet<string>;
  /** Has followed every link already. */
  resolver: LinkResolver;
  unpackedBytes: number;
}

export interface ReadOptions {
  limits?: ArchiveLimits;
  signal?: AbortSignal;
}

/** Every check that can be made without unpacking. Rejects with AR001, and a message that says what to do. */
export async function readArchive(source: ArchiveSource, options: ReadOptions = {}): Promise<ReadArchive> {
  const limits = options.limits ?? archiveLimits;
  const bytes = await ArchiveBytes.open(source, options.signal);
  if (bytes.size === 0) throw refuseArchive('The archive is empty: it has no bytes. Upload a zip of the project.');
  const directory = await readDirectory(bytes, limits.entries);
  const entries = placeEntries(directory).filter(({ path }) => !isJunk(path));
  checkTop(entries);
  const breathe = createBreather(options.signal);
  const folders = await checkPaths(entries, { maxPaths: limits.entries, breathe });
  const unpackedBytes = checkSizes(entries, bytes.size, limits);
  const links = await readLinks(bytes, entries, breathe);
  return { bytes, entries, links, folders, resolver: await followLinks(links, folders, breathe), unpackedBytes };
}

async function readLinks(
  bytes: ArchiveBytes,
  entries: readonly ArchiveEntry[],
  breathe: Breathe,
): Promise<Map<string, string>> {
  const links = new Map<string, string>();
  for (const entry of entries) {
    if (entry.kind !== 'link') continue;
    const target = String(await readSmall(bytes, entry));
    assertLeadsInside(entry.path, target);
    links.set(entry.path, target);
    await breathe();
  }
  return links;
}

async function followLinks(
  links: ReadonlyMap<string, string>,
  folders: ReadonlySet<string>,
  breathe: Breathe,
): Promise<LinkResolver> {
  const tree = { targetOf: (path: string) => links.get(path), isFolder: (path: string) => folders.has(path) };
  const resolver = createLinkResolver(tree, { tangled });
  for (const path of links.keys()) {
    await resolver.followSlowly(path, breathe);
    await breathe();
  }
  return resolver;
}

const tangled = () =>
  refuseArchive('The links in the archive are too tangled to be followed. Replace them by what they lead to.');
