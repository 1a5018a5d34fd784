import type { BodyOf, OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import { Fault } from '../../lib/fault.ts';
import { newId } from '../../lib/ids.ts';
import { lackOfRoom, maxSizeOf } from './room-for-uploads.ts';
import { ADDRESS_LIFE_MS, COMPLETION_GRACE_MS, storagePathOf } from './upload.ts';
import { holdWaiting, insertUpload } from './upload-store.ts';
import type { UploadsDeps } from './uploads-deps.ts';

type Body = Omit<BodyOf<Endpoints['upload.request-url']>, 'targetOrganisationId'>;

/** The row is there before anybody can know the address: an archive without one is nobody's. */
export async function reserveUpload(
  { store, objects, config, clock }: UploadsDeps,
  organisationId: string,
  { fileName, contentType, fileSize }: Body,
): Promise<OutputOf<Endpoints['upload.request-url']>> {
  const maxSize = maxSizeOf(contentType, config);
  assertSize(fileSize, maxSize);
  const now = clock.now();
  const id = newId('upl', now.getTime());
  const storagePath = storagePathOf(organisationId, id, contentType);
  const expiresAt = new Date(now.getTime() + ADDRESS_LIFE_MS);
  await store.db.transaction().execute(async (tx) => {
    const wanted = { content_type: contentType, announced_size: fileSize ?? null };
    const reservedUntil = new Date(now.getTime() - COMPLETION_GRACE_MS);
    const lack = lackOfRoom(await holdWaiting(tx, { organisationId, reservedUntil, now }), wanted, config);
    if (lack) throw lack;
    await insertUpload(tx, {
      ...wanted,
      id,
      organisation_id: organisationId,
      file_name: fileName,
      storage_path: storagePath,
      expires_at: expiresAt,
      created_at: now,
    });
  });
  const size = fileSize === undefined ? { max: maxSize } : { exact: fileSize };
  const signedUrl = await objects.presignPut(storagePath, { contentType, size, expiresAt });
  return { uploadId: id, signedUrl, storagePath, expiresAt: expiresAt.toISOString(), maxSize };
}

function assertSize(fileSize: number | undefined, maxSize: number): void {
  if (fileSize === undefined || fileSize <= maxSize) return;
  throw new Fault(
    'LM002',
    `The file has ${fileSize} bytes; an upload may have at most ${maxSize}. Leave out what is not source.`,
  );
}
