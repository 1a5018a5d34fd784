import { useEffect, useRef } from 'react';
import { uploadArchive } from '../../../lib/upload-archive.ts';
import { browserSession } from '../../../session/browser-session.ts';
import type { Database } from '../../databases/describe-database.ts';
import { useAddressed } from '../use-addressed.ts';
import { dumpTypeOf } from './dump-type.ts';
import { chooseDump, runImport, stopImport, useImportWork } from './import-work.ts';

/** A dump on its way: sent, which can be stopped, then run, which the platform does to its end. */
export function useImport(database: Database, onBegun: () => void) {
  const addressed = useAddressed(database);
  const work = useImportWork(database.id);
  useWhenBegun(work.awaitedUploadId, onBegun);
  const run = (file: File) =>
    runImport(database.id, file, {
      send: (sent, options) =>
        uploadArchive(sent, {
          targetOrganisationId: addressed.targetOrganisationId,
          fileName: sent.name,
          contentType: dumpTypeOf(sent.name) ?? 'application/sql',
          ...options,
        }),
      begin: (uploadId) => browserSession.call('databases.import', { body: { ...addressed, uploadId } }),
    });
  return {
    ...work,
    choose: (file: File) => chooseDump(database.id, file),
    run,
    stop: () => stopImport(database.id),
  };
}

/** Also for who came back while it was sent; not for who comes when it has begun already. */
function useWhenBegun(uploadId: string | null, onBegun: () => void): void {
  const told = useRef(uploadId);
  useEffect(() => {
    if (uploadId !== null && told.current !== uploadId) onBegun();
    told.current = uploadId;
  }, [uploadId, onBegun]);
}
