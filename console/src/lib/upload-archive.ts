import { type CompletedUpload, createLilac } from '@lilac/sdk';
import { browserSession } from '../session/browser-session.ts';
import { Refusal } from './refusal.ts';
import { explainUnsent } from './unreadable-file.ts';

/** Of the characters of a name the platform keeps as many. */
const MAX_NAME = 255;

interface ArchiveUpload {
  targetOrganisationId: string;
  /** What it is called, for the platform's own records. */
  fileName: string;
  /** A zip unless another is said. */
  contentType?: string;
  onProgress?: (sentBytes: number, totalBytes: number) => void;
  signal?: AbortSignal;
}

/** Sends an archive as the person who is signed in, over lost connections; what is broken off leaves nothing behind. */
export async function uploadArchive(archive: Blob, options: ArchiveUpload): Promise<CompletedUpload> {
  if (archive.size === 0) throw new Refusal('The file is empty. Choose another.');
  // A large archive may take longer to send than a token lives.
  const lilac = createLilac({ baseUrl: location.origin, token: browserSession.freshToken });
  try {
    return await lilac.upload(archive, { ...options, fileName: options.fileName.slice(-MAX_NAME) });
  } catch (error) {
    throw await explainUnsent(error, archive);
  }
}
