import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root, say } from './run-program.mjs';

const lockFile = join(root, '.lilac-set-up');

/** One set-up at a time in a clone: `npm start` and `npm test` may be called side by side. */
export async function withSetUpLock(work) {
  for (let isFirst = true; !tryLock(); isFirst = false) {
    if (isFirst) say('Another set-up is under way here; waiting for it …');
    await delay(200);
  }
  process.once('exit', unlock);
  try {
    return await work();
  } finally {
    process.off('exit', unlock);
    unlock();
  }
}

function unlock() {
  rmSync(lockFile, { force: true });
}

/** By link(2), so that the file is never seen without its holder's pid. */
function tryLock() {
  const draft = `${lockFile}.${process.pid}`;
  try {
    writeFileSync(draft, String(process.pid));
    linkSync(draft, lockFile);
    return true;
  } catch (error) {
    // Somebody else's clone: whatever is missing cannot be set up here, and what is there may be run.
    if (['EACCES', 'EROFS'].includes(error.code)) return true;
    if (error.code !== 'EEXIST') throw error;
    if (!isHeld()) unlock();
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

function isHeld() {
  try {
    return isAlive(readFileSync(lockFile, 'utf8'));
  } catch {
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
