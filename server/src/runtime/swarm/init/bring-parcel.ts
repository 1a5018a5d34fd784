import { createHash } from 'node:crypto';
import { chownSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { createZstdDecompress } from 'node:zlib';
import { start } from '../../../lib/exec.ts';
import { NOT_WHAT_WAS_BUILT } from '../../slugs/not-what-was-built.ts';
import type { Parcel } from './agreement.ts';
import { asProgram } from './as-program.ts';

/** So often in any case. */
const TRIES = 5;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5000;
/** Whoever keeps the files and sends none of them for so long is asked again. */
const SILENT_MS = 20_000;

export interface BringOptions {
  uid: number;
  /** So long it is tried again while nobody answers. */
  withinMs: number;
}

/** Puts a tree where the program expects it. Rejects with a sentence for people. */
export async function bringParcel(parcel: Parcel, { uid, withinMs }: BringOptions): Promise<void> {
  mkdirSync(parcel.at, { recursive: true, mode: 0o755 });
  if ('node' in parcel) return linkNode(parcel.at, parcel.node);
  // What is the program's own it may change; what it only runs on is root's.
  if (parcel.isOwn) chownSync(parcel.at, uid, uid);
  const until = Date.now() + withinMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchTree(parcel, uid);
    } catch (error) {
      clear(parcel.at);
      if (error instanceof WrongHash) throw error;
      const isWorthWaiting = Date.now() < until && !(error instanceof Hopeless);
      if (attempt >= TRIES && !isWorthWaiting) throw error;
    }
    await delay(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)));
  }
}

class WrongHash extends Error {}
/** Time does not mend it. */
class Hopeless extends Error {}

function linkNode(at: string, program: string): void {
  const place = join(at, program);
  mkdirSync(dirname(place), { recursive: true, mode: 0o755 });
  rmSync(place, { force: true });
  symlinkSync(process.execPath, place);
}

type Fetched = Extract<Parcel, { url: string }>;

async function fetchTree({ url, hash, at, isOwn }: Fetched, uid: number): Promise<void> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error('nothing came any more')), SILENT_MS);
  try {
    const body = await ask(url, silence.signal);
    await unpack(body, { hash, at, isOwn, uid, onBytes: () => timer.refresh() });
  } finally {
    clearTimeout(timer);
  }
}

async function ask(url: string, signal: AbortSignal): Promise<Readable> {
  const response = await fetch(url, { signal }).catch((error: Error) => {
    const { code, message } = (error.cause ?? error) as Error & { code?: string };
    throw new Error(`The files of this deployment cannot be fetched: the object store is away (${code ?? message}).`);
  });
  if (response.ok && response.body) return Readable.fromWeb(response.body as NodeReadableStream);
  await response.body?.cancel();
  const isNo = response.status >= 400 && response.status < 500 && ![408, 429].includes(response.status);
  const said = `The files of this deployment cannot be fetched (${response.status}).`;
  throw isNo ? new Hopeless(said) : new Error(said);
}

interface Unpacking extends Pick<Fetched, 'hash' | 'at' | 'isOwn'> {
  uid: number;
  onBytes(): void;
}

async function unpack(body: Readable, { hash, at, isOwn, uid, ...given }: Unpacking): Promise<void> {
  const digest = createHash('sha256');
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      given.onBytes();
      digest.update(chunk);
      done(null, chunk);
    },
  });
  const words = ['tar', '--extract', '--file=-', `--directory=${at}`, '--no-same-owner', '--delay-directory-restore'];
  // It would be gone before the last bytes, which are padding and are hashed as well.
  words.push('--ignore-zeros');
  const argv = isOwn ? asProgram(uid, words) : words;
  const tar = start(argv as [string, ...string[]], {
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  tar.stderr?.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-1000)));
  const ended = new Promise<number | null>((resolve) => tar.once('close', resolve));
  const unpacking = pipeline(body, measure, createZstdDecompress(), tar.stdin!);
  const [piped, exitCode] = await Promise.all([
    unpacking.then(
      () => null,
      (error: Error) => error,
    ),
    ended,
  ]);
  const isWhole = digest.digest('hex') === hash;
  // Who unpacks has everything and may be gone before the way to it is seen to be closed, which then looks broken off.
  if (isWhole && exitCode === 0 && tar.stdin!.writableEnded) return;
  if (!isWhole && !piped) {
    throw new WrongHash(NOT_WHAT_WAS_BUILT);
  }
  const message = `The files of this deployment cannot be unpacked: ${piped?.message ?? said}`;
  throw isOfThisEnd(piped) ? new Hopeless(message) : new Error(message);
}

/** What unpacks has failed, and not what brings. */
const isOfThisEnd = (error: (Error & { code?: string }) | null): boolean =>
  error === null || error.code === 'EPIPE' || (error.code ?? '').startsWith('ZSTD');

function clear(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
}
