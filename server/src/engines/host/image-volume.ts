import { mkdirSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { lock } from '../../lib/file-lock.ts';
import { findLoopDevice } from './loop-devices.ts';
import { mountPoints } from './mount-points.ts';
import { filesOf } from './place-files.ts';
import { runSystemProgram } from './system-program.ts';

/**
 * A volume of limited size: a file, sparse at first, with a file system of its own. Of the file systems that there
 * are everywhere, XFS grows while it is in use without asking for more than mounting does. Copies within it share
 * their blocks, so that a server that runs can be copied in a moment.
 */
const MAKE = ['mkfs.xfs', '-q', '-f', '-K', '-m', 'reflink=1,rmapbt=0,finobt=0'] as const;
/** `loop` makes the device and lets it end with the last mount; `discard` gives the machine back what is deleted. */
const OPTIONS = 'loop,nodev,nosuid,noexec,noatime,discard';

const MOUNT_WAIT_MS = 60_000;

/** The file appears under its name when it is whole. */
export async function makeImage(folder: string, bytes: number): Promise<void> {
  const { image } = filesOf(folder);
  const draft = `${image}.new`;
  await rm(draft, { force: true });
  await using file = await open(draft, 'wx', 0o600);
  await file.truncate(bytes);
  await runSystemProgram(...MAKE, draft);
  await file.sync();
  await rename(draft, image);
}

/** Harmless when it is mounted; others may try at the same moment. */
export async function mountVolume(folder: string): Promise<void> {
  const files = filesOf(folder);
  if (isInUse(folder)) return;
  const release = await lock(files.mountLock, MOUNT_WAIT_MS);
  try {
    if (isInUse(folder)) return;
    await unmountAll(files.volume);
    await shareBase(files.base);
    mkdirSync(files.volume, { recursive: true, mode: 0o700 });
    await runSystemProgram('mount', '-t', 'xfs', '-o', OPTIONS, files.image, files.volume);
    if (!isSound(files.volume)) throw new Error(`${files.volume} has failed, and what still runs on it holds it`);
    await bypassCache(files.image);
  } finally {
    release();
  }
}

/** More room, while it is in use. */
export async function growVolume(folder: string, bytes: number): Promise<void> {
  const { image, volume } = filesOf(folder);
  if (statSync(image).size < bytes) truncateSync(image, bytes);
  const device = findLoopDevice(image);
  if (!device) throw new Error(`${image} is not shown as a disk`);
  await runSystemProgram('losetup', '--set-capacity', device);
  await runSystemProgram('xfs_growfs', volume);
}

/** Also where somebody is still in there: who is cannot hinder the others. */
export async function unmountVolume(folder: string): Promise<void> {
  const { base, volume } = filesOf(folder);
  await unmountAll(volume);
  await unmountAll(base);
}

/** Whether any of its mounts is there, be it broken. */
export function isMounted(folder: string): boolean {
  const { base, volume } = filesOf(folder);
  return mountPoints().some(({ path }) => path === volume || path === base);
}

/**
 * Whether it is there and works: a file system that could not write, since the machine's own was full, has shut itself,
 * and only mounting it anew helps.
 */
export function isInUse(folder: string): boolean {
  const { volume } = filesOf(folder);
  return mountPoints().some(({ path }) => path === volume) && isSound(volume);
}

function isSound(volume: string): boolean {
  try {
    readdirSync(volume);
    return true;
  } catch {
    return false;
  }
}

/**
 * A mount below a shared one goes from all namespaces that were made since; otherwise each of them, a build's or an
 * instance's, would hold on to the volume as long as it lives.
 */
async function shareBase(base: string): Promise<void> {
  mkdirSync(base, { recursive: true, mode: 0o700 });
  const own = mountPoints().filter(({ path }) => path === base);
  if (own.length === 0) await runSystemProgram('mount', '--bind', '--make-shared', base, base);
  else if (!own.some(({ isShared }) => isShared)) await runSystemProgram('mount', '--make-shared', base);
}

async function unmountAll(path: string): Promise<void> {
  while (mountPoints().some((each) => each.path === path)) {
    await runSystemProgram('umount', path).catch(() => runSystemProgram('umount', '--lazy', path));
  }
}

/** Pages are kept once, by the volume, and not again by the machine. Not every file system below can. */
async function bypassCache(image: string): Promise<void> {
  const device = findLoopDevice(image);
  if (device) await runSystemProgram('losetup', '--direct-io=on', device).catch(() => {});
}
