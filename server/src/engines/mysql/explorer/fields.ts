/** What a server tells of a column of its answer. */
export interface Field {
  name: string;
  columnType: number;
  flags: number;
  characterSet: number;
  extendedTypeName?: string;
  extendedFormat?: string;
}

export const TYPE = { float: 4, bigint: 8, bit: 16 } as const;

const FLAG = { unsigned: 32, enum: 256, set: 2048 } as const;
const BINARY = 63;

const NAMES: Readonly<Record<number, string>> = {
  0: 'decimal',
  1: 'tinyint',
  2: 'smallint',
  3: 'int',
  4: 'float',
  5: 'double',
  6: 'null',
  7: 'timestamp',
  8: 'bigint',
  9: 'mediumint',
  10: 'date',
  11: 'time',
  12: 'datetime',
  13: 'year',
  14: 'date',
  16: 'bit',
  246: 'decimal',
  247: 'enum',
  248: 'set',
  255: 'geometry',
};
/** Those that are texts or bytes. */
const TEXTUAL: Readonly<Record<number, { text: string; bytes: string }>> = {
  15: { text: 'varchar', bytes: 'varbinary' },
  249: { text: 'tinytext', bytes: 'tinyblob' },
  250: { text: 'mediumtext', bytes: 'mediumblob' },
  251: { text: 'longtext', bytes: 'longblob' },
  252: { text: 'text', bytes: 'blob' },
  253: { text: 'varchar', bytes: 'varbinary' },
  254: { text: 'char', bytes: 'binary' },
};
const NUMBERS = new Set([0, 1, 2, 3, 4, 5, 8, 9, 246]);

export const isJson = ({ extendedFormat }: Field): boolean => extendedFormat === 'json';

/** As a definition of a table would name it. */
export function typeNameOf(field: Field): string {
  const { columnType, flags, characterSet, extendedTypeName } = field;
  if (isJson(field)) return 'json';
  if (extendedTypeName) return extendedTypeName;
  if (flags & FLAG.enum) return 'enum';
  if (flags & FLAG.set) return 'set';
  const textual = TEXTUAL[columnType];
  if (textual) return characterSet === BINARY ? textual.bytes : textual.text;
  const name = NAMES[columnType] ?? 'unknown';
  return NUMBERS.has(columnType) && flags & FLAG.unsigned ? `${name} unsigned` : name;
}
