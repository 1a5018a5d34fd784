import { getFileNameLowLevel, type Entry } from 'yauzl';
import { quote, refuseArchive } from './refuse-archive.ts';

const MAX_PART_BYTES = 255;
const MAX_DEPTH = 255;
/** The system allows a path 4096 bytes; the rest is for the folder that the archive is unpacked to. */
const MAX_PATH_BYTES = 4096 - 512;

/**
 * The name of an entry, which is refused where it could mean another place than the one below the root
 * that it names. What characters a name has is no matter: `+page.svelte`, `[slug].astro`, spaces,
 * anything of Unicode.
 */
export function nameOf(entry: Entry): string {
  const name = withoutDot(decodeName(entry));
  const problem = name === './' ? null : problemOf(name);
  if (problem) throw refuseArchive(`The name ${quote(name)} ${problem}`);
  return name;
}

/** Some tools write `./index.html`, and `./` for the folder itself. */
function withoutDot(name: string): string {
  return name.replace(/^(\.\/)+(?=[^/])/, '');
}

function problemOf(name: string): string | null {
  if (name === '') return 'is empty. Make the zip again with another tool.';
  if (name.includes('\0')) return 'holds a NUL character. Rename the file.';
  if (name.includes('\\')) {
    return 'holds a backslash. Make the zip with a tool that writes forward slashes, or rename the file.';
  }
  if (name.startsWith('/') || /^[A-Za-z]:[/\\]/.test(name)) {
    return 'is absolute. Make the zip from inside the project folder, so that names are relative.';
  }
  const parts = name.replace(/\/$/, '').split('/');
  if (parts.includes('..')) return 'leads out of the archive. Make the zip from inside the project folder.';
  if (parts.includes('')) return 'has an empty part: two slashes in a row. Make the zip again.';
  if (parts.includes('.')) return 'has a part that is a single dot. Make the zip again with another tool.';
  if (parts.some((part) => Buffer.byteLength(part) > MAX_PART_BYTES)) {
    return `is too long: a file or folder may have ${MAX_PART_BYTES} bytes. Rename it.`;
  }
  if (Buffer.byteLength(name) > MAX_PATH_BYTES) {
    return `is too long: a path may have ${MAX_PATH_BYTES} bytes. Use shorter or fewer folders.`;
  }
  if (parts.length > MAX_DEPTH) return `is too deep: a path may have ${MAX_DEPTH} levels. Use fewer folders.`;
  return null;
}

const UTF8_FLAG = 0x800;
const UNICODE_PATH_FIELD = 0x7075;
const UNIX_SYSTEMS = [3, 19];

/**
 * UTF-8 where the archive says so, or where a system made it that writes UTF-8 without saying so (the
 * Finder of macOS does); else code page 437, as the format has it.
 */
function decodeName(entry: Entry): string {
  const { generalPurposeBitFlag: flags, fileNameRaw: raw, extraFields, versionMadeBy } = entry;
  const isMarked = (flags & UTF8_FLAG) !== 0;
  const hasField = extraFields.some((field) => field.id === UNICODE_PATH_FIELD);
  if (!hasField && (isMarked || UNIX_SYSTEMS.includes(versionMadeBy >> 8))) {
    const name = decodeUtf8(raw);
    if (name !== null) return name;
    if (isMarked) throw refuseArchive('A file name in the archive is not valid UTF-8. Make the zip again.');
  }
  return getFileNameLowLevel(flags, raw, extraFields, true);
}

function decodeUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
