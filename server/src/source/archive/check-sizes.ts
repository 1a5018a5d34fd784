import type { ArchiveEntry } from './archive-entry.ts';
import type { ArchiveLimits } from './archive-limits.ts';
import { quote, refuseArchive } from './refuse-archive.ts';

const MAX_LINK_BYTES = 4096;

/** How large all will be by the archive's own word, which unpacking holds it to. */
export function checkSizes(entries: readonly ArchiveEntry[], archiveBytes: number, limits: ArchiveLimits): number {
  const unpacked = entries.reduce((sum, entry) => sum + (entry.kind === 'folder' ? 0 : entry.size), 0);
  if (unpacked > limits.unpackedBytes) {
    const [mebibytes, allowed] = [unpacked, limits.unpackedBytes].map((bytes) => Math.floor(bytes / 1024 ** 2));
    throw refuseArchive(
      `The archive unpacks to ${mebibytes} MiB; ${allowed} MiB are allowed. ` +
        'Leave out what is not source, such as node_modules and build output.',
    );
  }
  if (unpacked > limits.ratioFreeBytes && unpacked > archiveBytes * limits.ratio) {
    throw refuseArchive(
      `The archive unpacks to more than ${limits.ratio} times its size, as a zip bomb does. ` +
        'Leave out large files that hold nothing.',
    );
  }
  const longLink = entries.find((entry) => entry.kind === 'link' && entry.size > MAX_LINK_BYTES);
  if (longLink) throw refuseArchive(`The link ${quote(longLink.path)} is too long. Leave it out of the zip.`);
  return unpacked;
}
