import type { ColumnType, Generated, Selectable } from 'kysely';
import type { Maybe, MaybeBigInteger, MaybeTimestamp, Timestamp } from './column-types.ts';

export interface UsersTable {
  id: string;
  email: string;
  first_name: string;
  password_hash: string;
  totp_secret: Maybe<string>;
  totp_enabled_at: MaybeTimestamp;
  totp_last_step: MaybeBigInteger;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface RecoveryCodesTable {
  user_id: string;
  code_hash: Buffer;
  used_at: MaybeTimestamp;
}

export type SessionKind = 'browser' | 'cli' | 'operator';

export interface SessionsTable {
  id: string;
  user_id: string;
  kind: SessionKind;
  device: string;
  address: Maybe<string>;
  created_at: Timestamp;
  last_used_at: Timestamp;
  expires_at: Date;
  revoked_at: MaybeTimestamp;
  revoked_because: Maybe<string>;
}

export interface RefreshTokensTable {
  token_hash: Buffer;
  session_id: string;
  created_at: Timestamp;
  expires_at: Date;
  used_at: MaybeTimestamp;
  used_with_key: Maybe<Buffer>;
  successor_hash: Maybe<Buffer>;
}

export interface MfaChallengesTable {
  token_hash: Buffer;
  user_id: string;
  expires_at: Date;
  consumed_at: MaybeTimestamp;
}

export interface DeviceAuthorizationsTable {
  device_code_hash: Buffer;
  user_code: string;
  client_id: string;
  address: Maybe<string>;
  user_agent: Maybe<string>;
  state: ColumnType<
    'pending' | 'approved' | 'denied' | 'consumed',
    'pending' | undefined,
    'approved' | 'denied' | 'consumed'
  >;
  user_id: Maybe<string>;
  interval_seconds: number;
  last_polled_at: MaybeTimestamp;
  created_at: Timestamp;
  expires_at: Date;
}

export interface AttemptCountersTable {
  bucket: string;
  failures: number;
  window_ends_at: Date;
}

export interface SetupLinkTable {
  singleton: Generated<boolean>;
  token_hash: Buffer;
  created_at: Timestamp;
}

export interface PlatformSecretsTable {
  name: string;
  sealed: string;
  created_at: Timestamp;
}

export type UserRow = Selectable<UsersTable>;
export type SessionRow = Selectable<SessionsTable>;
