import { Refusal } from '../refusal.ts';
import { crc32 } from './crc32.ts';

export interface ZipEntry {
  /** With forward slashes, from the top of the project. */
  path: string;
  content: Blob;
}

interface ZipOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((doneFiles: number) => void) | undefined;
}

const STORED = 0;
const DEFLATED = 8;
const UTF8_NAMES = 0x08_00;
/** Without the extension for large archives, which no upload needs. */
const MAX_ENTRIES = 65_535;
const TOO_MANY = `More than ${MAX_ENTRIES} files do not fit into an archive. Leave out what a build makes anew.`;

interface Packed {
  name: Uint8Array<ArrayBuffer>;
  method: number;
  crc: number;
  data: Blob;
  size: number;
  offset: number;
}

/** A zip archive of these files. One file is read at a time, so what is held in memory is the largest. */
export async function zipFiles(entries: readonly ZipEntry[], { signal, onProgress }: ZipOptions = {}): Promise<Blob> {
  if (entries.length > MAX_ENTRIES) throw new Refusal(TOO_MANY);
  const parts: BlobPart[] = [];
  const packed: Packed[] = [];
  let offset = 0;
  const push = (...blobs: (Uint8Array<ArrayBuffer> | Blob)[]) => {
    parts.push(...blobs);
    for (const blob of blobs) offset += blob instanceof Blob ? blob.size : blob.length;
  };
  for (const entry of entries) {
    signal?.throwIfAborted();
    const file = { ...(await pack(entry)), offset };
    packed.push(file);
    push(header(0x04_03_4b_50, 30, [...fieldsOf(file)]), file.name, file.data);
    onProgress?.(packed.length);
  }
  const start = offset;
  for (const file of packed) push(centralHeader(file), file.name);
  push(endRecord(packed.length, offset - start, start));
  return new Blob(parts, { type: 'application/zip' });
}

async function pack({ path, content }: ZipEntry): Promise<Omit<Packed, 'offset'>> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  const name = new TextEncoder().encode(path);
  const common = { name, crc: crc32(bytes), size: bytes.length };
  const deflated = await deflate(bytes);
  return deflated && deflated.size < bytes.length
    ? { ...common, method: DEFLATED, data: deflated }
    : { ...common, method: STORED, data: new Blob([bytes]) };
}

/** Null where the browser cannot. */
async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Blob | null> {
  if (typeof CompressionStream === 'undefined' || bytes.length === 0) return null;
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return await new Response(stream).blob();
}

/** As in the specification (PKWARE APPNOTE 4.3): each number with how many bytes it has. */
type Fields = [bytes: 2 | 4, value: number][];

/** What both headers of a file have: versions and dates say nothing here, and are the earliest there are. */
function fieldsOf({ method, crc, data, size, name }: Packed): Fields {
  return [
    [2, 20],
    [2, UTF8_NAMES],
    [2, method],
    [2, 0],
    [2, 0x21],
    [4, crc],
    [4, data.size],
    [4, size],
    [2, name.length],
    [2, 0],
  ];
}

function centralHeader(file: Packed): Uint8Array<ArrayBuffer> {
  // Made on Unix, a plain file that its owner may write and everybody read.
  return header(0x02_01_4b_50, 46, [
    [2, (3 << 8) | 20],
    ...fieldsOf(file),
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0o100_644 * 0x1_00_00],
    [4, file.offset],
  ]);
}

function endRecord(count: number, size: number, start: number): Uint8Array<ArrayBuffer> {
  return header(0x06_05_4b_50, 22, [
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, size],
    [4, start],
    [2, 0],
  ]);
}

function header(signature: number, length: number, fields: Fields): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, signature, true);
  let at = 4;
  for (const [width, value] of fields) {
    if (width === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += width;
  }
  return bytes;
}
