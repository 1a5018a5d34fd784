import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { GaveUp } from '../frame/gave-up.ts';

const LOOK_MS = 50;
/** Who holds the lock tells that often that they live. */
const SIGN_OF_LIFE_MS = 1000;
/** A holder that nothing was heard of for so long is gone: killed, or on a machine that is off. */
const GONE_MS = 10_000;
const GIVE_UP_MS = 60_000;

/** One at a time, over all processes that can see the file. */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const release = await take(file);
  try {
    return await work();
  } finally {
    release();
  }
}

async function take(file: string): Promise<() => void> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const deadlineMs = Date.now() + GIVE_UP_MS;
  while (!isCreated(file)) {
    if (isAbandoned(file)) removeAbandoned(file);
    else if (Date.now() > deadlineMs) throw new GaveUp(`Another lilac holds ${file}. Try again; or remove it.`);
    else await pause(LOOK_MS);
  }
  const signs = setInterval(() => touch(file), SIGN_OF_LIFE_MS).unref();
  return () => {
    clearInterval(signs);
    rmSync(file, { force: true });
  };
}

function isCreated(file: string): boolean {
  try {
    writeFileSync(file, `${process.pid} ${hostname()}`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isAbandoned(file: string): boolean {
  try {
    const [pid, host] = readFileSync(file, 'utf8').split(' ');
    if (host === hostname() && !isAlive(Number(pid))) return true;
    return Date.now() - statSync(file).mtimeMs > GONE_MS;
  } catch {
    // Released a moment ago.
    return false;
  }
}

/** Two that see it at once must not remove what one of them took meanwhile: whoever is first looks again. */
function removeAbandoned(file: string): void {
  const guard = `${file}.removing`;
  if (!isCreated(guard)) {
    if (isAbandoned(guard)) rmSync(guard, { force: true });
    return;
  }
  try {
    if (isAbandoned(file)) rmSync(file, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Whoever removed it wanted to.
  }
}
