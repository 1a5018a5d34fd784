import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';
import { Refused } from './confirm.ts';

export interface GivenFile {
  path: string;
  content: string;
  encoding: 'utf8' | 'base64';
}

/** What an assistant writes by hand is small; everything larger has better ways. */
const MAX_BYTES = 512 * 1024;

/** The archive that the platform takes. */
export async function packFiles(files: readonly GivenFile[]): Promise<Blob> {
  const archive = new yazl.ZipFile();
  const seen = new Set<string>();
  let size = 0;
  for (const { path, content, encoding } of files) {
    assertPath(path);
    if (seen.has(path)) throw new Refused(`There are two files at ${JSON.stringify(path)}. Give each path once.`);
    seen.add(path);
    const bytes = encoding === 'base64' ? decode(path, content) : Buffer.from(content);
    size += bytes.length;
    if (size > MAX_BYTES) {
      throw new Refused(
        `The files are larger than ${MAX_BYTES / 1024} KiB together. Use "lilac deploy", or a repository.`,
      );
    }
    archive.addBuffer(bytes, path);
  }
  archive.end();
  return new Blob([new Uint8Array(await buffer(archive.outputStream))], { type: 'application/zip' });
}

/** The platform refuses such archives too; here it can be said which file it is. */
function assertPath(path: string): void {
  const parts = path.split('/');
  const isSafe = !/[\\:\0]/.test(path) && parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isSafe) {
    throw new Refused(`${JSON.stringify(path)} is no path of a project: it must be relative, as src/index.js.`);
  }
}

function decode(path: string, content: string): Buffer {
  const compact = content.replaceAll(/\s/g, '');
  const bytes = Buffer.from(compact, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') !== compact.replace(/=+$/, '')) {
    throw new Refused(`The content of ${JSON.stringify(path)} is not base64.`);
  }
  return bytes;
}
