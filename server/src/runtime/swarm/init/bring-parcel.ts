import { createHash } from 'node:crypto';
import { chownSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { createZstdDecompress } from 'node:zlib';
import { start } from '../../../lib/exec.ts';
import type { Parcel } from './agreement.ts';
import { asProgram } from './as-program.ts';

const TRIES = 5;

/** Puts a tree where the program expects it. Rejects with a sentence for people. */
export async function bringParcel(parcel: Parcel, uid: number): Promise<void> {
  mkdirSync(parcel.at, { recursive: true, mode: 0o755 });
  if ('node' in parcel) return linkNode(parcel.at, parcel.node);
  // What is the program's own it may change; what it only runs on is root's.
  if (parcel.isOwn) chownSync(parcel.at, uid, uid);
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchTree(parcel, uid);
    } catch (error) {
      clear(parcel.at);
      if (attempt === TRIES || error instanceof WrongHash) throw error;
    }
  }
}

class WrongHash extends Error {}

function linkNode(at: string, program: string): void {
  const place = join(at, program);
  mkdirSync(dirname(place), { recursive: true, mode: 0o755 });
  rmSync(place, { force: true });
  symlinkSync(process.execPath, place);
}

type Fetched = Extract<Parcel, { url: string }>;

async function fetchTree({ url, hash, at, isOwn }: Fetched, uid: number): Promise<void> {
  const response = await fetch(url);
  if (!response.ok || !response.body)
    throw new Error(`The files of this deployment cannot be fetched (${response.status}).`);
  const digest = createHash('sha256');
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      digest.update(chunk);
      done(null, chunk);
    },
  });
  const words = ['tar', '--extract', '--file=-', `--directory=${at}`, '--no-same-owner', '--delay-directory-restore'];
  const argv = isOwn ? asProgram(uid, words) : words;
  const tar = start(argv as [string, ...string[]], {
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  tar.stderr?.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-1000)));
  const ended = new Promise<number | null>((resolve) => tar.once('close', resolve));
  const unpacking = pipeline(
    Readable.fromWeb(response.body as NodeReadableStream),
    measure,
    createZstdDecompress(),
    tar.stdin!,
  );
  const [piped, exitCode] = await Promise.all([
    unpacking.then(
      () => null,
      (error: Error) => error,
    ),
    ended,
  ]);
  if (digest.digest('hex') !== hash && !piped) {
    throw new WrongHash('The files of this deployment are not what was built: they are not run. Deploy it again.');
  }
  if (piped || exitCode !== 0)
    throw new Error(`The files of this deployment cannot be unpacked: ${piped?.message ?? said}`);
}

function clear(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
}
