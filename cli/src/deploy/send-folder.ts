import { formatDuration } from '@lilac/contract/format-duration';
import { holdsVariables } from '@lilac/contract/source-files/secret-files';
import type { CompletedUpload, Lilac } from '@lilac/sdk';
import { byteSize } from '../terminal/byte-size.ts';
import type { LiveLine } from '../terminal/live-line.ts';
import { plainText } from '../terminal/printable.ts';
import { progressBar } from '../terminal/progress-bar.ts';
import { listFiles, type FileList } from './list-files.ts';
import { packFolder, type PackedFolder } from './pack-folder.ts';

export interface Sending {
  root: string;
  organisationId: string | undefined;
  signal: AbortSignal | undefined;
}

/** Packs the folder and uploads it. What is broken off leaves nothing behind, here or there. */
export async function sendFolder(lilac: Lilac, line: LiveLine, sending: Sending): Promise<CompletedUpload> {
  const list = listFiles(sending.root);
  tellLeftOut(line, list);
  await using archive = await pack(lilac, line, { list, signal: sending.signal });
  const startedMs = Date.now();
  let sent = 0;
  line.show(() =>
    progressBar(
      { what: 'Uploading', done: sent, total: archive.size, elapsedMs: Date.now() - startedMs },
      line.hasUnicode,
    ),
  );
  const upload = await lilac.upload(archive, {
    targetOrganisationId: sending.organisationId,
    signal: sending.signal,
    onProgress: (bytes) => (sent = bytes),
  });
  line.print(
    `${line.mark('good')} Uploaded ${byteSize(archive.size)} ${line.paint('dim', formatDuration(Date.now() - startedMs))}`,
  );
  return upload;
}

function tellLeftOut(line: LiveLine, { secrets, odd }: FileList): void {
  if (secrets.length > 0) {
    const variables = secrets.find(holdsVariables);
    const way = variables === undefined ? '' : ` "lilac env push ${plainText(variables)}" makes variables of them.`;
    line.print(`Not sent, for they hold secrets: ${secrets.map(plainText).join(', ')}.${way}`);
  }
  if (odd.length > 0) line.print(`Not sent, for they are no files: ${odd.map(plainText).join(', ')}.`);
}

async function pack(
  lilac: Lilac,
  line: LiveLine,
  { list, signal }: { list: FileList; signal: AbortSignal | undefined },
): Promise<PackedFolder> {
  const startedMs = Date.now();
  let packedBytes = 0;
  line.show(() =>
    progressBar(
      { what: 'Packing', done: packedBytes, total: list.totalBytes, elapsedMs: Date.now() - startedMs },
      line.hasUnicode,
    ),
  );
  const { limits } = await lilac.call('config.platform', { signal });
  const archive = await packFolder(list, {
    maxBytes: limits.uploadMaxBytes,
    onProgress: (bytes) => (packedBytes = bytes),
    signal,
  });
  const files = list.files.length === 1 ? '1 file' : `${list.files.length} files`;
  line.print(
    `${line.mark('good')} Packed ${files}, ${byteSize(list.totalBytes)} ${line.paint('dim', formatDuration(Date.now() - startedMs))}`,
  );
  return archive;
}
