import type { ProcessIdentity } from '../../lib/process-identity.ts';
import { isBeingStopped, readBootId, readProcess, readRecord, type InstanceRecord } from './instance-record.ts';

/** An instance that came so far that it noted itself. */
export interface FoundInstance {
  record: InstanceRecord;
  folder: string;
  process: ProcessIdentity;
}

/** No process has this start time. */
const NOBODY: ProcessIdentity = { pid: 0, startTime: '' };

/** Null when there is none, or it is being started or stopped by somebody. */
export function findInstance(folder: string): FoundInstance | null {
  const record = readRecord(folder);
  const process = readProcess(folder);
  if (!record || !process || isBeingStopped(folder)) return null;
  return { record, folder, process: record.bootId === readBootId() ? process : NOBODY };
}

/** What is to be ended and removed, whatever state it is in. */
export function findRemains(folder: string): FoundInstance | null {
  const record = readRecord(folder);
  if (!record) return null;
  const isOfThisBoot = record.bootId === readBootId();
  return { record, folder, process: (isOfThisBoot ? readProcess(folder) : null) ?? NOBODY };
}
