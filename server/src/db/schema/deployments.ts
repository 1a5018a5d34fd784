import type { DeploymentStage, DeploymentStatus } from '@lilac/contract/states';
import type { ColumnType, JSONColumnType, Selectable } from 'kysely';
import type { RunSpec } from '../run-spec.ts';
import type { Defaulted, Maybe, MaybeBigInteger, MaybeJson, MaybeTimestamp, Timestamp } from './column-types.ts';

interface StageTime {
  stage: DeploymentStage;
  started_at: string;
}

export interface DeploymentsTable {
  id: string;
  organisation_id: string;
  application_id: string;
  environment_id: string;
  status: Defaulted<DeploymentStatus>;
  stage: Defaulted<DeploymentStage>;
  /** When each stage of the last run began, in order. */
  stages: JSONColumnType<StageTime[], string | undefined>;
  /** Its build and first release; null until it is released again. */
  first_run: MaybeJson<{ stages: StageTime[]; completed_at: string | null }>;
  upload_id: Maybe<string>;
  upload_name: Maybe<string>;
  vcs_branch: Maybe<string>;
  commit_sha: Maybe<string>;
  commit_message: Maybe<string>;
  plan: MaybeJson<object>;
  run: MaybeJson<RunSpec>;
  /** Sealed JSON. */
  variables: Maybe<string>;
  /** The names of variables that hold the address of a database, with its id. */
  database_links: JSONColumnType<Record<string, string>, string | undefined>;
  artifact_id: Maybe<string>;
  error: Maybe<string>;
  job_id: MaybeBigInteger;
  /** Its place in the order of the asking, for a build or for being served again. */
  asked: ColumnType<string, number | string | undefined, number | string>;
  created_at: Timestamp;
  completed_at: MaybeTimestamp;
  released_at: MaybeTimestamp;
  /** What the repository's host was last told of its commit. */
  told_state: Maybe<'pending' | 'success' | 'failure' | 'cancelled'>;
}

export interface DeploymentLogChunksTable {
  deployment_id: string;
  number: number;
  lines: string[];
  /** How many lines there are up to the end of this chunk. */
  end_line: number;
}

export interface ArtifactsTable {
  id: string;
  organisation_id: string;
  environment_id: string;
  kind: 'static' | 'slug';
  state: Defaulted<'packing' | 'whole'>;
  file_count: Defaulted<number>;
  size: ColumnType<string, number | string | undefined, number | string>;
  compressed_at: MaybeTimestamp;
  created_at: Timestamp;
}

export interface ArtifactBlobsTable {
  artifact_id: string;
  hash: Buffer;
}

export interface BlobVariantsTable {
  hash: Buffer;
  coding: 'br' | 'gzip';
  /** Null: tried, and not smaller. */
  variant_hash: Maybe<Buffer>;
  size: Maybe<number>;
}

export type DeploymentRow = Selectable<DeploymentsTable>;
export type ArtifactRow = Selectable<ArtifactsTable>;
