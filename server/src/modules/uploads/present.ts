import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { UploadRow } from '../../db/schema.ts';

export function presentCompleted(row: UploadRow): OutputOf<Endpoints['upload.complete']> {
  return { uploadId: row.id, status: row.status, size: Number(row.size) };
}
