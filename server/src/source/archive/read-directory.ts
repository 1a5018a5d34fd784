import { fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { createBreather } from '../../lib/breather.ts';
import { Fault } from '../../lib/fault.ts';
import type { ArchiveBytes } from './archive-bytes.ts';
import { entryOf, type ArchiveEntry } from './archive-entry.ts';
import { damaged, refuseArchive } from './refuse-archive.ts';

export interface ArchiveDirectory {
  entries: ArchiveEntry[];
  /** Where the directory begins: no file reaches beyond. */
  start: number;
}

/** The list that stands at the end of an archive. Nothing is unpacked for it. */
export async function readDirectory(bytes: ArchiveBytes, maxEntries: number): Promise<ArchiveDirectory> {
  const reader = new BytesReader(bytes);
  try {
    return await Promise.race([readAll(bytes, reader, maxEntries), reader.broken.promise]);
  } catch (error) {
    if (bytes.failure !== undefined) throw bytes.failure;
    throw error instanceof Fault ? error : await explain(bytes, error as Error);
  }
}

async function readAll(bytes: ArchiveBytes, reader: BytesReader, maxEntries: number): Promise<ArchiveDirectory> {
  const options = { autoClose: false, decodeStrings: false };
  const zip = await fromRandomAccessReaderPromise(reader, bytes.size, options);
  if (zip.entryCount > maxEntries) {
    throw refuseArchive(
      `The archive has ${zip.entryCount} entries; ${maxEntries} are allowed. Leave out what is not source.`,
    );
  }
  const start = cursorOf(zip);
  const entries: ArchiveEntry[] = [];
  const breathe = createBreather();
  for await (const entry of zip.eachEntry()) {
    entries.push(entryOf(entry));
    await breathe();
  }
  await assertIsAll(bytes, cursorOf(zip));
  return { entries, start };
}

/** The type says otherwise; it is a number. */
const cursorOf = (zip: ZipFile) => Number(zip.readEntryCursor);

const ENTRY_SIGNATURE = 0x02014b50;

/** A count that is too small would silently leave files out: it wraps around at 65,536. */
async function assertIsAll(bytes: ArchiveBytes, end: number): Promise<void> {
  const next = await bytes.read(end, 4);
  if (next.length === 4 && next.readUInt32LE() === ENTRY_SIGNATURE) throw damaged('more entries than counted');
}

const FILE_SIGNATURE = 0x04034b50;

/** What the parser says is for programmers. */
async function explain(bytes: ArchiveBytes, error: Error): Promise<Fault> {
  if (/multi-disk/.test(error.message)) {
    return refuseArchive('The archive is one part of several. Make one zip of everything.');
  }
  if (/strong encryption/.test(error.message)) {
    return refuseArchive('The archive is encrypted. Make a zip without a password.');
  }
  const head = await bytes.read(0, 4);
  const isZip = head.length === 4 && [FILE_SIGNATURE, 0x06054b50].includes(head.readUInt32LE());
  if (!isZip && /signature not found/.test(error.message)) {
    return refuseArchive('This is not a zip archive. Upload a .zip of the project; tar, 7z and rar are not read.');
  }
  return damaged(error.message);
}

/** What the parser reads through. */
class BytesReader extends RandomAccessReader {
  /** Rejected where the parser itself breaks on something it did not expect. */
  readonly broken = Promise.withResolvers<never>();
  readonly #bytes: ArchiveBytes;

  constructor(bytes: ArchiveBytes) {
    super();
    this.#bytes = bytes;
    this.broken.promise.catch(() => {});
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    void this.#read({ start: position, length, into: buffer.subarray(offset) }, callback);
  }

  async #read(
    { start, length, into }: { start: number; length: number; into: Buffer },
    callback: (error: Error | null, bytesRead?: number) => void,
  ): Promise<void> {
    const read = await this.#bytes.read(start, length).catch((error: Error) => error);
    try {
      if (read instanceof Error) callback(read);
      else callback(null, read.copy(into));
    } catch (error) {
      this.broken.reject(error);
    }
  }
}
