import type { BigInteger, Defaulted } from './column-types.ts';

export interface LogHeadsTable {
  environment_id: string;
  next_line: Defaulted<string>;
}

export interface LogChunksTable {
  environment_id: string;
  /** `2026-11-15`. */
  day: string;
  first_line: BigInteger;
  line_count: number;
  first_at: Date;
  last_at: Date;
  severities: number;
  bytes: number;
  body: Buffer;
}

export interface LogPositionsTable {
  instance_id: string;
  environment_id: string;
  stdout: BigInteger;
  stderr: BigInteger;
}

export interface LogUsageTable {
  environment_id: string;
  day: string;
  lines: BigInteger;
  bytes: BigInteger;
  dropped_lines: BigInteger;
  access_bytes: BigInteger;
}
