import type { ColumnType, JSONColumnType } from 'kysely';

/** Filled in by the store when left out. */
export type Timestamp = ColumnType<Date, Date | undefined, Date>;
export type MaybeTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;
export type Maybe<T> = ColumnType<T | null, T | null | undefined, T | null>;
/** The column has a default. */
export type Defaulted<T> = ColumnType<T, T | undefined, T>;
/** Read as an object, written as JSON text. */
export type MaybeJson<T extends object> = JSONColumnType<T | null, string | null | undefined, string | null>;
/** bigint: the driver gives text. */
export type BigInteger = ColumnType<string, number | string, number | string>;
export type MaybeBigInteger = ColumnType<string | null, number | string | null | undefined, number | string | null>;
