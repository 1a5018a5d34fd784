import type { BackupStatus, DatabaseStatus, DatabaseStep, DatabaseType } from '@lilac/contract/states';
import type { Selectable } from 'kysely';
import type { Defaulted, Maybe, MaybeBigInteger, MaybeTimestamp, Timestamp } from './column-types.ts';

export interface DatabasesTable {
  id: string;
  organisation_id: string;
  project_id: Maybe<string>;
  name: string;
  database_type: DatabaseType;
  version: string;
  tier: string;
  region: string;
  storage_gb: number;
  ha_enabled: boolean;
  public_ip_enabled: boolean;
  authorized_networks: Defaulted<string[]>;
  database_name: string;
  admin_user: string;
  /** Sealed. */
  admin_password: string;
  /** Sealed. */
  next_password: Maybe<string>;
  status: DatabaseStatus;
  step: Defaulted<DatabaseStep>;
  percent: Defaulted<number>;
  progress: Defaulted<string>;
  error: Maybe<string>;
  is_full: Defaulted<boolean>;
  port: number;
  restore_from: Maybe<string>;
  last_import_upload: Maybe<string>;
  last_import_error: Maybe<string>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export type ServerRole = 'primary' | 'standby';

export interface DatabaseServersTable {
  id: string;
  database_id: string;
  role: ServerRole;
  port: number;
  is_made: Defaulted<boolean>;
  in_step: Defaulted<boolean>;
  created_at: Timestamp;
}

export type BackupPurpose = 'automatic' | 'manual' | 'download' | 'safety';

export interface DatabaseBackupsTable {
  id: string;
  database_id: string;
  organisation_id: string;
  purpose: BackupPurpose;
  status: BackupStatus;
  object_key: string;
  size: MaybeBigInteger;
  sha256: Maybe<string>;
  error: Maybe<string>;
  started_at: Timestamp;
  completed_at: MaybeTimestamp;
  expires_at: MaybeTimestamp;
}

export interface DatabaseImportsTable {
  database_id: string;
  upload_id: string;
  storage_path: string;
  transaction_id: Maybe<string>;
  is_loaded: Defaulted<boolean>;
  created_at: Timestamp;
}

export interface DatabaseLinksTable {
  environment_id: string;
  variable: string;
  database_id: string;
  created_at: Timestamp;
}

export interface DatabaseMinutesTable {
  database_id: string;
  minute: Date;
  cpu: Maybe<number>;
  memory_bytes: MaybeBigInteger;
  storage_bytes: MaybeBigInteger;
  connections: Maybe<number>;
}

export type DatabaseRow = Selectable<DatabasesTable>;
export type DatabaseServerRow = Selectable<DatabaseServersTable>;
export type DatabaseBackupRow = Selectable<DatabaseBackupsTable>;
export type DatabaseLinkRow = Selectable<DatabaseLinksTable>;
