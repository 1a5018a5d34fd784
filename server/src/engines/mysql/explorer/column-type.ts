import { StatementRefused } from '../../explorer.ts';

/** What the server has no way to check before it is part of a statement. */
const NAMES = new Set(
  (
    'tinyint smallint mediumint int integer bigint decimal dec numeric fixed float double real bit bool boolean ' +
    'date time datetime timestamp year char varchar binary varbinary tinytext text mediumtext longtext ' +
    'tinyblob blob mediumblob longblob json uuid inet4 inet6 enum set serial ' +
    'geometry point linestring polygon multipoint multilinestring multipolygon geometrycollection'
  ).split(' '),
);
const TEXT = String.raw`'(?:[^'\\]|'')*'`;
const NUMBERS = String.raw`\d{1,10}(?:\s*,\s*\d{1,10})?`;
const TYPE = new RegExp(
  String.raw`^([a-z0-9]+)(?:\s+precision)?\s*(\(\s*(?:${NUMBERS}|${TEXT}(?:\s*,\s*${TEXT})*)\s*\))?((?:\s+[a-z0-9_]+)*)$`,
  'i',
);
const OPTIONS =
  /^(\s+(unsigned|signed|zerofill|auto_increment|unique|character\s+set\s+[a-z0-9_]+|charset\s+[a-z0-9_]+|collate\s+[a-z0-9_]+))*$/i;

/** A type of the engine, with its numbers or values and what belongs to it; anything else is refused. */
export function readColumnType(type: string): string {
  const text = type.trim();
  const [, name = '', , options = ''] = TYPE.exec(text) ?? [];
  if (!text.includes('\0') && NAMES.has(name.toLowerCase()) && OPTIONS.test(options)) return text;
  throw new StatementRefused(`${JSON.stringify(type)} is no type, or none that can be used here.`);
}
