import type { BodyOf, OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { Tx } from '../../db/pool.ts';
import { conflict, Fault } from '../../lib/fault.ts';
import { newId } from '../../lib/ids.ts';
import { ADDRESS_LIFE_MS, COMPLETION_GRACE_MS, isDump, MAX_OPEN, storagePathOf } from './upload.ts';
import { countOpen, insertUpload } from './upload-store.ts';
import type { UploadsDeps } from './uploads-deps.ts';

type Body = Omit<BodyOf<Endpoints['upload.request-url']>, 'targetOrganisationId'>;

/** The row is there before anybody can know the address: an archive without one is nobody's. */
export async function reserveUpload(
  { store, objects, config, clock }: UploadsDeps,
  organisationId: string,
  { fileName, contentType, fileSize }: Body,
): Promise<OutputOf<Endpoints['upload.request-url']>> {
  const maxSize = isDump(contentType) ? config.databases.importMaxBytes : config.uploadMaxBytes;
  assertSize(fileSize, maxSize);
  const now = clock.now();
  const id = newId('upl', now.getTime());
  const storagePath = storagePathOf(organisationId, id, contentType);
  const expiresAt = new Date(now.getTime() + ADDRESS_LIFE_MS);
  await store.db.transaction().execute(async (tx) => {
    await assertRoom(tx, organisationId, now);
    await insertUpload(tx, {
      id,
      organisation_id: organisationId,
      file_name: fileName,
      content_type: contentType,
      storage_path: storagePath,
      announced_size: fileSize ?? null,
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
    `The file has ${fileSize} bytes, and an upload may have ${maxSize}. Leave out what is not source.`,
  );
}

async function assertRoom(tx: Tx, organisationId: string, now: Date): Promise<void> {
  const reservedUntil = new Date(now.getTime() - COMPLETION_GRACE_MS);
  if ((await countOpen(tx, { organisationId, reservedUntil })) < MAX_OPEN) return;
  throw conflict(
    `The organisation has ${MAX_OPEN} uploads that were reserved and not completed, and may not have more. ` +
      'Complete them (upload/complete), or discard them all (upload/cleanup).',
  );
}
