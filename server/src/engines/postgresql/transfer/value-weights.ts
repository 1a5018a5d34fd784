/** What matters of a type for how much memory its values take while they become text, or are read from it. */
export interface ValueType {
  oid: string;
  kind: 'base' | 'composite' | 'domain' | 'enum' | 'range' | 'multirange' | 'other';
  /** Of a domain: what it is over. */
  base: string | null;
  /** Of an array. */
  element: string | null;
  /** Of values that all have the same; else null. */
  lengthBytes: number | null;
  isByValue: boolean;
  /** Texts, and what is held as text is: the length of such a value can be asked for without reading it. */
  isText: boolean;
  /** Of a composite type. */
  members: readonly string[];
}

export type ValueTypes = ReadonlyMap<string, ValueType>;

const [BYTEA, JSON_TEXT, XML, BIT, VARBIT, NUMERIC, JSONB] = [
  '17',
  '114',
  '142',
  '1560',
  '1562',
  '1700',
  '3802',
] as const;
const TEXT_WEIGHT = 1.25;
const OTHER_WEIGHT = 5;

/**
 * A quarter of the memory that a server was seen to take for each byte of a value, at most, be it to write a row or to
 * load it: XML and JSONB become trees, arrays hold every element as a text of its own, some of which take a kilobyte.
 */
const ALONE: Readonly<Record<string, number>> = {
  [BYTEA]: 2,
  [JSON_TEXT]: TEXT_WEIGHT,
  [XML]: 11,
  [BIT]: 10,
  [VARBIT]: 10,
  [JSONB]: 5,
};
const IN_ARRAY: Readonly<Record<string, number>> = {
  [BYTEA]: 2.5,
  [JSON_TEXT]: 6,
  [XML]: 31,
  [BIT]: 20,
  [VARBIT]: 20,
  [NUMERIC]: 2,
  [JSONB]: 31,
};
const TEXT_IN_ARRAY = 2.5;
const COMPOSITE_IN_ARRAY = 10;
const RANGE_IN_ARRAY = 40;
const MULTIRANGE = 64;
/** Four bytes that stand for a name of up to 63, and of two such names. */
const ENUM_IN_ARRAY = 18;
const NAMED_IN_ARRAY = 36;
/** `regclass` and its like. */
const NAMED = new Set(['24', '2202', '2203', '2204', '2205', '2206', '3734', '3769', '4089', '4096', '4191']);

/** No value counts for more: an array of truth values has the shortest elements. */
export const MOST_WEIGHT = MULTIRANGE;

/** What a domain is over, however many there are in between. */
export function plainType(types: ValueTypes, oid: string): ValueType | undefined {
  const type = types.get(oid);
  return type?.kind === 'domain' && type.base !== null ? plainType(types, type.base) : type;
}

/** For how much of a row's text a byte of such a value counts. */
export function weightOf(types: ValueTypes, oid: string): number {
  const type = plainType(types, oid);
  if (!type) return OTHER_WEIGHT;
  if (type.element !== null) return weightInArray(types, type.element);
  if (type.kind === 'multirange') return MULTIRANGE;
  if (type.kind === 'composite') return heaviest(types, type, OTHER_WEIGHT);
  return ALONE[type.oid] ?? (type.isText ? TEXT_WEIGHT : OTHER_WEIGHT);
}

function weightInArray(types: ValueTypes, oid: string): number {
  const type = plainType(types, oid);
  if (!type) return OTHER_WEIGHT;
  if (type.kind === 'enum') return ENUM_IN_ARRAY;
  if (NAMED.has(type.oid)) return NAMED_IN_ARRAY;
  if (type.lengthBytes !== null) return fixedInArray(type.lengthBytes, type.isByValue);
  if (type.kind === 'multirange') return MULTIRANGE;
  if (type.kind === 'range') return RANGE_IN_ARRAY;
  if (type.kind === 'composite') return heaviest(types, type, COMPOSITE_IN_ARRAY);
  return IN_ARRAY[type.oid] ?? (type.isText ? TEXT_IN_ARRAY : OTHER_WEIGHT);
}

/** The shorter they are the more there are, and each takes as much as a short text; of some, as much as a kilobyte. */
const fixedInArray = (lengthBytes: number, isByValue: boolean): number =>
  isByValue ? (30 + 11 * lengthBytes) / (4 * lengthBytes) : Math.min(MOST_WEIGHT, Math.max(2, 300 / lengthBytes));

const heaviest = (types: ValueTypes, { members }: ValueType, least: number): number =>
  Math.max(least, ...members.map((member) => weightOf(types, member)));
