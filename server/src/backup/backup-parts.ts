import { createHash } from 'node:crypto';
import { isStoredKeys } from '../secrets/stored-keys.ts';
import {
  BackupError,
  FORMAT,
  FORMAT_VERSION,
  type BackupHeader,
  type BackupTrailer,
  type ObjectLine,
  type TableLine,
} from './backup-format.ts';

export type BackupPart =
  | { kind: 'header'; header: BackupHeader }
  | { kind: 'table'; table: TableLine }
  /** Whole rows of the table named last. */
  | { kind: 'rows'; text: Buffer }
  | { kind: 'end of table' }
  | { kind: 'object'; object: ObjectLine }
  /** Some of the bytes of the object named last. */
  | { kind: 'bytes'; bytes: Buffer }
  | { kind: 'end of object' };

const NEWLINE = 0x0a;
const BACKSLASH = 0x5c;
const DOT = 0x2e;
/** The only places where a backup may put something. */
const OBJECT_KEY = /^(backups|blobs|manifests|uploads)\//;

/** Takes a backup's text in any pieces and gives its parts; `end` throws unless all of it was there, unchanged. */
export class BackupParts {
  readonly #hash = createHash('sha256');
  readonly #rows: Record<string, number> = {};
  #header: BackupHeader | null = null;
  #openTable: string | null = null;
  #trailer: BackupTrailer | null = null;
  #rest: Buffer = Buffer.alloc(0);
  #objects = 0;
  /** How much of the object that is open is still to come; null when none is. */
  #bytesLeft: number | null = null;

  *read(piece: Buffer): Generator<BackupPart> {
    const text = this.#rest.length > 0 ? Buffer.concat([this.#rest, piece]) : piece;
    let at = 0;
    for (let before = -1; at > before;) {
      before = at;
      at = this.#bytesLeft === null ? yield* this.#readLines(text, at) : yield* this.#readBytes(text, at);
    }
    this.#rest = text.subarray(at);
  }

  /** Whole lines, up to one that opens an object; returns where it stopped. */
  *#readLines(text: Buffer, from: number): Generator<BackupPart, number> {
    let lineFrom = from;
    let rowsFrom = from;
    let rows = 0;
    for (let newline = text.indexOf(NEWLINE, from); newline >= 0; newline = text.indexOf(NEWLINE, lineFrom)) {
      // In a table only its end, `\.`, is a line of two characters that begins so: COPY doubles a backslash of data.
      const isRow = this.#openTable !== null && (text[lineFrom] !== BACKSLASH || text[lineFrom + 1] !== DOT);
      if (isRow) rows++;
      else {
        yield* this.#takeRows(text.subarray(rowsFrom, lineFrom), rows);
        yield* this.#takeLine(text.subarray(lineFrom, newline + 1));
        [rowsFrom, rows] = [newline + 1, 0];
      }
      lineFrom = newline + 1;
      if (this.#bytesLeft !== null) return lineFrom;
    }
    yield* this.#takeRows(text.subarray(rowsFrom, lineFrom), rows);
    return lineFrom;
  }

  *#readBytes(text: Buffer, from: number): Generator<BackupPart, number> {
    const bytes = text.subarray(from, from + this.#bytesLeft!);
    if (bytes.length > 0) {
      this.#hash.update(bytes);
      this.#bytesLeft! -= bytes.length;
      yield { kind: 'bytes', bytes };
    }
    if (this.#bytesLeft === 0) {
      this.#bytesLeft = null;
      yield { kind: 'end of object' };
    }
    return from + bytes.length;
  }

  end(): void {
    const trailer = this.#trailer;
    if (!this.#header || !trailer || this.#rest.length > 0 || this.#bytesLeft !== null)
      throw new BackupError('it is cut short');
    const isWhole =
      trailer.sha256 === this.#hash.digest('hex') &&
      (trailer.objects ?? 0) === this.#objects &&
      this.#header.tables.every((table) => trailer.rows[table] === this.#rows[table]);
    if (!isWhole) throw new BackupError('its content does not match its checksum');
  }

  *#takeRows(text: Buffer, count: number): Generator<BackupPart> {
    if (count === 0) return;
    this.#hash.update(text);
    this.#rows[this.#openTable!]! += count;
    yield { kind: 'rows', text };
  }

  *#takeLine(line: Buffer): Generator<BackupPart> {
    if (this.#trailer) throw new BackupError('something follows its end');
    if (this.#openTable !== null) {
      this.#openTable = null;
      this.#hash.update(line);
      yield { kind: 'end of table' };
      return;
    }
    const value = parseLine(line);
    if (this.#header && 'sha256' in value) this.#trailer = value as BackupTrailer;
    else {
      this.#hash.update(line);
      if (!this.#header) yield this.#takeHeader(value as BackupHeader);
      else if ('object' in value) yield* this.#takeObject(value as ObjectLine);
      else yield this.#takeTable(value as TableLine);
    }
  }

  #takeHeader(header: BackupHeader): BackupPart {
    if (header.format !== FORMAT) throw new BackupError('it is something else');
    if (header.version > FORMAT_VERSION) {
      throw new BackupError(
        `it was written by Lilac ${header.lilac}, which is newer than this one: update this one first`,
      );
    }
    if (!isStoredKeys(header.keys) || !Array.isArray(header.tables)) throw new BackupError('its header is incomplete');
    this.#header = header;
    return { kind: 'header', header };
  }

  #takeTable(table: TableLine): BackupPart {
    if (!this.#header!.tables.includes(table.table) || table.table in this.#rows) {
      throw new BackupError('it holds a table that its header does not name');
    }
    this.#rows[table.table] = 0;
    this.#openTable = table.table;
    return { kind: 'table', table };
  }

  *#takeObject(object: ObjectLine): Generator<BackupPart> {
    if (!isObjectLine(object)) throw new BackupError('it holds a line that does not belong there');
    this.#objects++;
    this.#bytesLeft = object.size > 0 ? object.size : null;
    yield { kind: 'object', object };
    if (object.size === 0) yield { kind: 'end of object' };
  }
}

function isObjectLine({ object, size }: ObjectLine): boolean {
  return typeof object === 'string' && OBJECT_KEY.test(object) && Number.isSafeInteger(size) && size >= 0;
}

function parseLine(line: Buffer): object {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below.
  }
  throw new BackupError('it holds a line that does not belong there');
}
