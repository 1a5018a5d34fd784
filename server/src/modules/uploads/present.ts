import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { UploadRow } from '../../db/schema.ts';
import type { UploadFindings } from './detect-upload.ts';

type Completed = OutputOf<Endpoints['upload.complete']>;

export function presentCompleted(row: UploadRow): Completed {
  return { uploadId: row.id, status: row.status, size: Number(row.size), detected: presentFindings(row.detected) };
}

function presentFindings(found: object | null): Completed['detected'] {
  if (found === null) return null;
  const { hints: _, ...project } = found as UploadFindings;
  return project;
}
