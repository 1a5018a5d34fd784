import { defineJob, type JobHandler } from '../../jobs/job.ts';
import { periodicJob, type NoPayload } from '../../jobs/schedule.ts';
import { sweepUploads } from './sweep-uploads.ts';
import type { UploadsDeps } from './uploads-deps.ts';

const EVERY_MS = 15 * 60 * 1000;

const sweep = defineJob<NoPayload>('uploads.sweep');

/** What the worker does for uploads: every quarter of an hour, removes what nobody will use. */
export function uploadJobs(deps: Pick<UploadsDeps, 'store' | 'objects' | 'clock'>): JobHandler[] {
  return [periodicJob(sweep, EVERY_MS, ({ signal }) => sweepUploads(deps, signal))];
}
