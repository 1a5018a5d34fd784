import type { BigInteger } from './column-types.ts';

interface Figures {
  requests: BigInteger | null;
  bytes_in: BigInteger | null;
  bytes_out: BigInteger | null;
  latencies: Buffer | null;
  looks: number | null;
  instances: number | null;
  memory_bytes: number | null;
  cpu_seconds: number | null;
  cpu_allowed_seconds: number | null;
}

export interface MetricMinutesTable extends Figures {
  environment_id: string;
  minute: number;
  source: BigInteger;
}

export interface MetricQuartersTable extends Figures {
  environment_id: string;
  quarter: number;
}

export interface MetricPendingQuartersTable {
  quarter: number;
}
