import { type CompletedUpload, createLilac } from '@lilac/sdk';
import { browserSession } from '../session/browser-session.ts';

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
  const lilac = createLilac({ baseUrl: location.origin, token: currentToken });
  return await lilac.upload(archive, options);
}

/** A large archive may take longer to send than a token lives. */
async function currentToken(): Promise<string | null> {
  const state = browserSession.state();
  if (state.status === 'signed-in' && state.token.expiresAtMs <= Date.now()) await browserSession.refresh();
  const now = browserSession.state();
  return now.status === 'signed-in' ? now.token.text : null;
}
