import type { JSONColumnType } from 'kysely';
import type { BigInteger, Defaulted, Maybe, MaybeJson, Timestamp } from './column-types.ts';

export interface RoutesTable {
  environment_id: string;
  subdomain: Maybe<string>;
  target: MaybeJson<object>;
  lock: MaybeJson<object>;
  access_log: Defaulted<boolean>;
  domain: Maybe<string>;
  at_subdomain: Defaulted<boolean>;
  version: BigInteger;
  changed_at: Timestamp;
}

export interface ApisTable {
  name: string;
  address: string;
  seen_at: Timestamp;
}

export interface MachinesTable {
  name: string;
  addresses: string[];
  seen_at: Timestamp;
}

export interface RateWindowsTable {
  client: string;
  used: BigInteger;
  ends_at: Timestamp;
}

export interface EdgesTable {
  name: string;
  version: BigInteger;
  load: JSONColumnType<object, string | undefined>;
  address: Maybe<string>;
  seen_at: Timestamp;
}
