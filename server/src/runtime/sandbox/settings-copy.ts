import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeTree } from '../../lib/remove-tree.ts';
import { tryEach } from '../../lib/try-each.ts';
import { listSettings } from '../../sandbox/system-view.ts';

/** What instances see of /etc, in one folder: one mount instead of thirty, which took half of the time of a start. */
export interface SettingsCopy {
  /** The folder that shows them as they are now. */
  current(): Promise<string>;
  /** Removes those that no instance sees. */
  sweep(inUse: ReadonlySet<string>): Promise<void>;
}

const PREFIX = '.etc-';

export function createSettingsCopy(root: string): SettingsCopy {
  let making: Promise<string> | undefined;
  const make = async (): Promise<string> => {
    const settings = listSettings();
    const place = join(root, PREFIX + signatureOf(settings));
    if (!existsSync(place)) await copy(settings, place);
    return place;
  };
  return {
    current: () => (making ??= make().finally(() => (making = undefined))),
    async sweep(inUse) {
      const copies = readdirSync(root).filter((name) => name.startsWith(PREFIX));
      await tryEach(
        copies.filter((name) => !inUse.has(join(root, name))),
        (name) => removeTree(join(root, name)),
      );
    },
  };
}

/** Changes when one of them does: a new certificate, another name server. */
function signatureOf(settings: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of settings) {
    const { mtimeMs, ino, size } = statSync(path);
    hash.update(`${path} ${mtimeMs} ${ino} ${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

async function copy(settings: readonly string[], place: string): Promise<void> {
  const draft = `${place}.draft-${process.pid}`;
  await removeTree(draft);
  mkdirSync(draft, { recursive: true, mode: 0o755 });
  for (const path of settings) {
    const target = join(draft, path.slice('/etc/'.length));
    mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
    // A file is copied whatever leads to it; links within a folder stay what they are.
    const isFolder = lstatSync(path).isDirectory();
    await cp(path, target, { recursive: true, dereference: !isFolder, verbatimSymlinks: isFolder });
  }
  // Something to put an instance's own in the place of.
  writeFileSync(join(draft, 'resolv.conf'), '', { flag: 'a' });
  renameSync(draft, place);
}
