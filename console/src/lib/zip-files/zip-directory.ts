/** One thing in an archive, as the list at the archive's end tells it. */
export interface DirectoryEntry {
  /** One letter for each byte of its name, whatever the name is written in. */
  path: string;
  /** Its whole record, name and all. */
  record: Uint8Array<ArrayBuffer>;
  /** Where its own header begins. */
  start: number;
  compressedSize: number;
}

interface End {
  /** Of the list. */
  start: number;
  size: number;
  count: number;
}

export const RECORD_BYTES = 46;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xff_ff;
const MORE_THAN_FITS = 0xff_ff_ff_ff;
/** Encrypted, patched, or with hidden headers. */
const STRANGE_FLAGS = 0b10_0000_0110_0001;
/** Of the fields that tell more: sizes beyond 4 GB, and the name once more. */
const STRANGE_FIELDS = new Set([0x00_01, 0x70_75]);

/** Null where it is not one that every reader takes the same way. */
export async function readZipDirectory(archive: Blob): Promise<DirectoryEntry[] | null> {
  const tailStart = Math.max(0, archive.size - END_BYTES - LONGEST_COMMENT);
  const end = findEnd(await bytesOf(archive.slice(tailStart)), tailStart);
  if (!end) return null;
  const entries: DirectoryEntry[] = [];
  let rest = await bytesOf(archive.slice(end.start, end.start + end.size));
  while (rest.length > 0) {
    const entry = readRecord(rest);
    if (!entry || entry.start + entry.compressedSize > end.start) return null;
    entries.push(entry);
    rest = rest.subarray(entry.record.length);
  }
  return entries.length === end.count ? entries : null;
}

/** It ends the archive, and the list ends right before it: what is longer, or in parts, has more in between. */
function findEnd(tail: Uint8Array<ArrayBuffer>, tailStart: number): End | null {
  const view = viewOf(tail);
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (view.getUint32(at, true) !== 0x06_05_4b_50) continue;
    const count = view.getUint16(at + 10, true);
    const size = view.getUint32(at + 12, true);
    const start = view.getUint32(at + 16, true);
    const isWhole =
      view.getUint32(at + 4, true) === 0 &&
      view.getUint16(at + 8, true) === count &&
      start + size === tailStart + at &&
      at + END_BYTES + view.getUint16(at + 20, true) === tail.length;
    return isWhole ? { start, size, count } : null;
  }
  return null;
}

function readRecord(bytes: Uint8Array<ArrayBuffer>): DirectoryEntry | null {
  if (bytes.length < RECORD_BYTES) return null;
  const view = viewOf(bytes);
  const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((at) => view.getUint16(at, true)) as Three;
  const length = RECORD_BYTES + nameBytes + extraBytes + commentBytes;
  const [compressedSize, size, start] = [20, 24, 42].map((at) => view.getUint32(at, true)) as Three;
  const isClear =
    view.getUint32(0, true) === 0x02_01_4b_50 &&
    bytes.length >= length &&
    (view.getUint16(8, true) & STRANGE_FLAGS) === 0 &&
    Math.max(compressedSize, size, start) < MORE_THAN_FITS &&
    view.getUint16(34, true) === 0;
  if (!isClear) return null;
  const extra = bytes.subarray(RECORD_BYTES + nameBytes, RECORD_BYTES + nameBytes + extraBytes);
  if (hasStrangeField(extra)) return null;
  const path = new TextDecoder('latin1').decode(bytes.subarray(RECORD_BYTES, RECORD_BYTES + nameBytes));
  return { path, record: bytes.subarray(0, length), start, compressedSize };
}

type Three = [number, number, number];

function hasStrangeField(extra: Uint8Array<ArrayBuffer>): boolean {
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length; at += 4 + view.getUint16(at + 2, true)) {
    if (STRANGE_FIELDS.has(view.getUint16(at, true))) return true;
  }
  return false;
}

export async function bytesOf(part: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await part.arrayBuffer());
}

export function viewOf(bytes: Uint8Array<ArrayBuffer>): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
