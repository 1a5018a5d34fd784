import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

const BLOCK_DEVICES = '/sys/block';

/** The loop device that shows the file as a disk; null when there is none. */
export function findLoopDevice(image: string): string | null {
  const path = realpathSync(image);
  const names = readdirSync(BLOCK_DEVICES).filter((name) => name.startsWith('loop'));
  const name = names.find((each) => backingFile(each) === path);
  return name === undefined ? null : `/dev/${name}`;
}

function backingFile(name: string): string | null {
  try {
    return readFileSync(join(BLOCK_DEVICES, name, 'loop', 'backing_file'), 'utf8').replace(/\n$/, '');
  } catch {
    return null;
  }
}
