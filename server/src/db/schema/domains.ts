import type { CertificateStatus } from '@lilac/contract/states';
import type { ColumnType, Selectable } from 'kysely';
import type { Defaulted, Maybe, MaybeTimestamp, Timestamp } from './column-types.ts';

export interface DomainsTable {
  id: string;
  organisation_id: string;
  environment_id: string;
  hostname: string;
  is_apex: Defaulted<boolean>;
  verified_at: MaybeTimestamp;
  is_pointing: Defaulted<boolean>;
  is_reached: Defaulted<boolean>;
  checked_at: MaybeTimestamp;
  next_check_at: MaybeTimestamp;
  failed_checks: Defaulted<number>;
  error: Maybe<string>;
  record_fault: Maybe<'missing' | 'wrong'>;
  astray_since: MaybeTimestamp;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface FormerDomainsTable {
  hostname: string;
  organisation_id: string;
  ended_at: Timestamp;
}

export interface LostDomainsTable {
  environment_id: string;
  organisation_id: string;
  hostname: string;
  lost_at: Date;
}

export interface FormerSubdomainsTable {
  subdomain: string;
  organisation_id: string;
  ended_at: Timestamp;
}

export interface CertificatesTable {
  id: string;
  hostname: string;
  domain_id: Maybe<string>;
  status: Defaulted<Exclude<CertificateStatus, 'none'>>;
  chain: Maybe<string>;
  /** Sealed PEM. */
  private_key: Maybe<string>;
  issuer: Maybe<string>;
  serial: Maybe<string>;
  not_before: MaybeTimestamp;
  not_after: MaybeTimestamp;
  renew_at: MaybeTimestamp;
  is_revoked: Defaulted<boolean>;
  ocsp: Maybe<Buffer>;
  ocsp_renew_at: MaybeTimestamp;
  order_url: Maybe<string>;
  /** Sealed PEM. */
  order_key: Maybe<string>;
  tries: Defaulted<number>;
  next_try_at: MaybeTimestamp;
  limited_until: MaybeTimestamp;
  waits_until: MaybeTimestamp;
  skips_budget: Defaulted<boolean>;
  skips_pace: Defaulted<boolean>;
  error: Maybe<string>;
  operator_error: Maybe<string>;
  warned_at: MaybeTimestamp;
  /** Its organisation, when its domain was taken away. */
  kept_for: Maybe<string>;
  unreached: Defaulted<number>;
  version: ColumnType<string, number | string | undefined, number | string>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface CertificateOrdersTable {
  order_url: string;
  organisation_id: string | null;
  domain: string;
  hostname: Maybe<string>;
  is_renewal: boolean;
  state: Defaulted<'open' | 'issued' | 'failed'>;
  ordered_at: Date;
}

export interface AcmeAccountsTable {
  id: string;
  directory_url: string;
  /** Sealed PEM. */
  account_key: string;
  account_url: Maybe<string>;
  paused_until: MaybeTimestamp;
  created_at: Timestamp;
}

export interface AcmeChallengesTable {
  token: string;
  answer: string;
  expires_at: Date;
}

export interface LocalAuthorityTable {
  id: Defaulted<string>;
  certificate: string;
  /** Sealed PEM. */
  private_key: string;
  not_after: Date;
  created_at: Timestamp;
}

export type DomainRow = Selectable<DomainsTable>;
export type CertificateRow = Selectable<CertificatesTable>;
