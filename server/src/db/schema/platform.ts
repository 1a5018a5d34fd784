import type { Defaulted } from './column-types.ts';

export interface PlatformErrorsTable {
  id: string;
  occurred_at: Defaulted<Date>;
  role: string;
  origin: string;
  request_id: string | null;
  job_id: string | null;
  message: string;
  stack: string;
}

export interface LeadershipsTable {
  name: string;
  term: string;
  worker: string | null;
  host: string | null;
  address: string | null;
  since: Defaulted<Date>;
}

export interface PlatformVitalsTable {
  process: string;
  machine: string;
  home: string;
  role: string;
  place: number;
  written_at: Defaulted<Date>;
  /** VitalFamily[] */
  families: unknown;
}
