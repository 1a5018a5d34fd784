import { crc32, deflateRawSync } from 'node:zlib';

/** One entry of a zip that is made by hand; whatever is left out is as it should be. */
export interface ZipPart {
  name: string | Buffer;
  content?: Buffer | string;
  /** Unix mode with the file's type. */
  mode?: number;
  /** The bits as a DOS system writes them, in place of a mode. */
  attributes?: number;
  method?: number;
  flags?: number;
  /** 3 is Unix, 0 is DOS. */
  system?: number;
  /** Bytes as they lie in the archive, where they are not simply the content, compressed or not. */
  packed?: Buffer;
  declaredSize?: number;
  crc?: number;
  extra?: Buffer;
  /** What the directory says of where it begins. */
  offset?: number;
  /** Only in the directory: the bytes are those of another entry. */
  isOnlyListed?: boolean;
}

export interface ZipShape {
  entryCount?: number;
  /** In the records of the larger format, zip64, which are added for it. */
  wideEntryCount?: number;
  disk?: number;
  comment?: Buffer;
  directoryOffset?: number;
}

const UTF8 = 0x800;

/** A zip, byte by byte, so that every lie can be told. */
export function makeZip(parts: readonly ZipPart[], shape: ZipShape = {}): Buffer {
  const body: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const facts = factsOf(part);
    directory.push(directoryRecord(part, facts, part.offset ?? offset));
    if (part.isOnlyListed) continue;
    const local = Buffer.concat([localHeader(part, facts), facts.packed]);
    body.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = endRecord({ count: parts.length, size: listed.length, offset, shape });
  const wide = shape.wideEntryCount ? [wideEndRecord(shape.wideEntryCount, offset, listed.length)] : [];
  return Buffer.concat([...body, listed, ...wide, end]);
}

interface Facts {
  name: Buffer;
  packed: Buffer;
  size: number;
  crc: number;
  method: number;
}

function factsOf(part: ZipPart): Facts {
  const content = Buffer.from(part.content ?? '');
  const method = part.method ?? (content.length > 0 ? 8 : 0);
  const packed = part.packed ?? (method === 8 ? deflateRawSync(content) : content);
  return {
    name: Buffer.from(part.name as string),
    packed,
    method,
    size: part.declaredSize ?? content.length,
    crc: part.crc ?? crc32(content),
  };
}

function commonFields(part: ZipPart, { crc, packed, size, method }: Facts): Buffer {
  const fields = Buffer.alloc(22);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(part.flags ?? UTF8, 2);
  fields.writeUInt16LE(method, 4);
  fields.writeUInt32LE(0x5a21_0000, 6);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(size, 18);
  return fields;
}

function localHeader(part: ZipPart, facts: Facts): Buffer {
  const lengths = Buffer.alloc(4);
  lengths.writeUInt16LE(facts.name.length, 0);
  return Buffer.concat([Buffer.from('PK\u0003\u0004'), commonFields(part, facts), lengths, facts.name]);
}

function directoryRecord(part: ZipPart, facts: Facts, offset: number): Buffer {
  const extra = part.extra ?? Buffer.alloc(0);
  const madeBy = Buffer.from([20, part.system ?? 3]);
  const rest = Buffer.alloc(18);
  rest.writeUInt16LE(facts.name.length, 0);
  rest.writeUInt16LE(extra.length, 2);
  const attributes = part.attributes ?? (part.mode ?? 0o100644) * 0x10000;
  rest.writeUInt32LE(attributes >>> 0, 10);
  rest.writeUInt32LE(offset, 14);
  return Buffer.concat([Buffer.from('PK\u0001\u0002'), madeBy, commonFields(part, facts), rest, facts.name, extra]);
}

function endRecord({ count, size, offset, shape }: { count: number; size: number; offset: number; shape: ZipShape }) {
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(shape.disk ?? 0, 4);
  end.writeUInt16LE(shape.disk ?? 0, 6);
  end.writeUInt16LE(shape.entryCount ?? count, 8);
  end.writeUInt16LE(shape.entryCount ?? count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(shape.directoryOffset ?? offset, 16);
  end.writeUInt16LE(shape.comment?.length ?? 0, 20);
  return Buffer.concat([end, shape.comment ?? Buffer.alloc(0)]);
}

/** Zip64: the end record with wide numbers, and where it begins. */
function wideEndRecord(count: number, offset: number, size: number): Buffer {
  const record = Buffer.alloc(56 + 20);
  record.write('PK\u0006\u0006', 0, 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  record.write('PK\u0006\u0007', 56, 'latin1');
  record.writeBigUInt64LE(BigInt(offset + size), 64);
  record.writeUInt32LE(1, 72);
  return record;
}
