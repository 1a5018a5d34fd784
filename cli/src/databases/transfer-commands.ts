import { createWriteStream, openAsBlob } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Client } from '@lilac/contract/client';
import { byteSize } from '../terminal/byte-size.ts';
import { GaveUp } from '../frame/gave-up.ts';
import { isConnectionFailure, isCutOff } from '../frame/lost-answer.ts';
import { interruption } from '../frame/interrupted.ts';
import type { CommandOutcome, CommandRun, OwnCommand } from '../frame/own-command.ts';
import { openLine } from '../terminal/open-line.ts';
import { plainText } from '../terminal/printable.ts';
import { progressBar } from '../terminal/progress-bar.ts';
import { UsageError } from '../frame/usage-error.ts';

const LOOK_MS = 500;
/** An upload that breaks is begun again while the platform may only have been restarted. */
const RETRY_FOR_MS = 30_000;

const usual = { part: 'body', kind: 'text', isRequired: false, isNullable: false, choices: [] } as const;

/** With files of this machine; with an id or without a file they are the endpoints themselves. */
export const transferCommands: readonly OwnCommand[] = [
  {
    words: ['db', 'import'],
    summary: 'Run a dump: SQL, plain or gzip-compressed',
    description:
      'All of it, or nothing where it fails. A file is uploaded, and the command ends when the import has. The id of ' +
      'an upload (upl_…) can be given in its place: then it returns at once, and the status is `updating` until it is done.',
    endpoint: 'databases.import',
    arguments: ['databaseId'],
    flags: [
      { ...usual, key: 'file', name: 'file', isPositional: true, description: 'a file, or the id of an upload' },
      { ...usual, key: 'uploadId', name: 'upload-id', description: 'an upload that is complete, in place of a file' },
    ],
    tidiesUp: true,
    retryForMs: RETRY_FOR_MS,
    run: importDump,
  },
  {
    words: ['db', 'dump'],
    summary: 'Write all of a database into a file to download',
    description:
      'gzip-compressed SQL, whole and checked. With --output it is downloaded; without, the answer is an address to ' +
      'download it from, for an hour.',
    endpoint: 'databases.dump',
    arguments: ['databaseId'],
    flags: [{ ...usual, key: 'output', name: 'output', short: 'o', description: 'the file to write: shop.sql.gz' }],
    run: dumpDatabase,
  },
];

interface Target {
  databaseId: string;
  targetOrganisationId?: string;
}

async function importDump(run: CommandRun): Promise<CommandOutcome> {
  const { client, body, signal, complain } = run;
  const { file, uploadId, ...target } = body as unknown as Target & { file?: string; uploadId?: string };
  if ((file === undefined) === (uploadId === undefined)) throw new UsageError('Give a file, or the id of an upload.');
  const isFile = file !== undefined && (await isThere(file));
  if (file !== undefined && !isFile && !file.startsWith('upl_')) throw new UsageError(`There is no file "${file}".`);
  if (!isFile) {
    const answer = await client.call('databases.import', { body: { ...target, uploadId: uploadId ?? file! }, signal });
    return { answer, note: '' };
  }
  const uploaded = await uploadDump(run, { file, target });
  await client.call('databases.import', { body: { ...target, uploadId: uploaded }, signal });
  complain('Uploaded. The import runs, and goes on without this command too.\n');
  const ended = whenImported({ client, target, uploadId: uploaded, signal, complain });
  const answer = await Promise.race([ended, interruption(signal)]);
  return { answer, note: `Imported ${basename(file)}.` };
}

async function isThere(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  if (found && !found.isFile()) throw new UsageError(`"${file}" is no file.`);
  if (found?.size === 0) throw new UsageError(`"${file}" is empty.`);
  return found !== null;
}

/** What is broken off leaves no half of it behind. */
async function uploadDump(run: CommandRun, { file, target }: { file: string; target: Target }): Promise<string> {
  const contentType = (await isGzip(file)) ? 'application/gzip' : 'application/sql';
  const content = await openAsBlob(file, { type: contentType });
  const [startedMs, total] = [Date.now(), content.size];
  let done = 0;
  using line = openLine(run);
  line.show(() =>
    progressBar({ what: 'Uploading', done, total, elapsedMs: Date.now() - startedMs }, run.paper.hasUnicode),
  );
  const { uploadId } = await run.client.upload(content, {
    targetOrganisationId: target.targetOrganisationId,
    fileName: basename(file).slice(-255),
    contentType,
    signal: run.signal,
    onProgress: (sentBytes) => (done = sentBytes),
  });
  return uploadId;
}

/** By its first two bytes: names lie. */
async function isGzip(file: string): Promise<boolean> {
  await using handle = await open(file).catch((error: Error) => {
    throw new GaveUp(`${file} cannot be read: ${error.message}`);
  });
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
  return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
}

async function whenImported({
  client,
  target,
  uploadId,
  signal,
  complain,
}: Pick<CommandRun, 'client' | 'signal' | 'complain'> & {
  target: Target;
  uploadId: string;
}): Promise<CommandOutcome['answer']> {
  for (let told: string | null = null; ;) {
    const { id, status, error, last_import: last } = await statusOf(client, target, signal);
    if (status !== 'updating') {
      if (last?.upload_id !== uploadId) throw new GaveUp(UNKNOWN_END);
      if (last.error !== null) throw new GaveUp(last.error);
      // Other troubles, such as storage that is nearly used up, are said too, and are no failure of the import.
      return { id, status, ...(error !== null && { error }) };
    }
    // What goes wrong on the way is tried again by the platform: that is why it takes so long.
    if (error && error !== told) complain(`${plainText(error)}\n`);
    told = error;
    await delay(LOOK_MS, undefined, { signal });
  }
}

const UNKNOWN_END =
  'The platform does not tell how this import ended: another one has begun since. `lilac orgs activity` lists how each did.';

/** The import goes on while the platform is restarted, and so does the question. */
async function statusOf(client: Client, target: Target, signal: AbortSignal | undefined) {
  for (let failures = 1; ; failures++) {
    try {
      return await client.call('databases.status', { body: target, signal });
    } catch (error) {
      if (!isAway(error) || failures > MOST_FAILURES) throw error;
      await delay(AFTER_CUT_SECONDS * 1000, undefined, { signal });
    }
  }
}

const MOST_FAILURES = 60;

const isAway = (error: unknown): boolean =>
  isConnectionFailure(error) || (error instanceof ApiError && error.status >= 502 && error.status <= 504);

async function dumpDatabase({ client, body, signal, isJson }: CommandRun): Promise<CommandOutcome> {
  const { output, ...target } = body as unknown as Target & { output?: string };
  const sizeOf = (bytes: number) => (isJson ? bytes : byteSize(bytes));
  if (output === undefined) {
    const answer = await whenDumped(client, target, signal);
    return { answer: { ...answer, size: sizeOf(answer.size) }, note: '' };
  }
  if (output === '') throw new UsageError('--output needs the name of a file.');
  const { downloadUrl, size } = await whenDumped(client, target, signal);
  await download(downloadUrl, { file: output, size, signal });
  return { answer: { file: output, size: sizeOf(size) }, note: '' };
}

/** A long dump is waited for in turns; whoever asks again while it is written waits for the same one. */
async function whenDumped(client: Client, target: Target, signal: AbortSignal | undefined) {
  for (let cutOff = 0; ;) {
    try {
      return await client.call('databases.dump', { body: target, signal });
    } catch (error) {
      cutOff = isCutOff(error) ? cutOff + 1 : 0;
      if (cutOff > MOST_CUT_OFF) throw error;
      const waitSeconds = secondsUntilNextTurn(error);
      if (waitSeconds === null) throw error;
      await delay(waitSeconds * 1000, undefined, { signal });
    }
  }
}

/** Answers in a row; a platform that is restarted is back by then. */
const MOST_CUT_OFF = 5;
const AFTER_CUT_SECONDS = 1;

/** Null where another turn would not help. */
function secondsUntilNextTurn(error: unknown): number | null {
  if (error instanceof ApiError)
    return /still being written/.test(error.message) ? (error.retryAfterSeconds ?? 10) : null;
  return isCutOff(error) ? AFTER_CUT_SECONDS : null;
}

/** Under its name once it is whole; what was there before stays until then. */
async function download(
  url: string,
  { file, size, signal }: { file: string; size: number; signal: AbortSignal | undefined },
): Promise<void> {
  const answer = await fetch(url, { ...(signal && { signal }) });
  if (!answer.ok || !answer.body) throw await refusalOf(answer, 'The download failed');
  const unfinished = `${file}.part`;
  try {
    // Somebody's data: nobody else reads it unless they are let.
    const target = createWriteStream(unfinished, { mode: 0o600 });
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), target);
    const { size: written } = await stat(unfinished);
    if (written !== size) throw new GaveUp(`Only ${written} of ${size} bytes came. Try again.`);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw isOfFiles(error) ? new GaveUp(`${file} cannot be written: ${error.message}`) : error;
  }
}

/** What the file system refuses; what the network does, comes as another kind. */
function isOfFiles(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}

async function refusalOf(answer: Response, what: string): Promise<GaveUp> {
  const said = (await answer.text()).slice(0, 500).trim();
  return new GaveUp(`${what}: ${answer.status} ${answer.statusText}. ${said}`.trim());
}
