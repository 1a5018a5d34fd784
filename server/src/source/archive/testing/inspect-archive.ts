import type { ArchiveLimits } from '../archive-limits.ts';
import type { ArchiveSource } from '../archive-source.ts';
import { readArchive } from '../read-archive.ts';
import type { ArchiveSummary } from '../unpack-archive.ts';

/** Whether an archive may be unpacked, told without doing so. Rejects with AR001 where it may not. */
export async function inspectArchive(source: ArchiveSource, limits?: ArchiveLimits): Promise<ArchiveSummary> {
  const { entries, unpackedBytes } = await readArchive(source, { limits });
  return { fileCount: entries.filter((entry) => entry.kind !== 'folder').length, unpackedBytes };
}
