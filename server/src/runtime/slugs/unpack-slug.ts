import { createZstdDecompress } from 'node:zlib';
import { availableParallelism } from 'node:os';
import { blobKey } from '../../artifacts/static-manifest.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { SlugUse } from './slug-cache.ts';

const INNER_TREE = '/home/tree';
const TIMEOUT_MS = 15 * 60_000;
let count = 0;

/** Unpacks by a `tar` that sees the folder and nothing else: whatever is in the archive, it can do no harm. */
export function createUnpacker({ objects, sandbox }: { objects: ObjectStore; sandbox: Sandbox }) {
  return async ({ hash, uid }: SlugUse, folder: string): Promise<void> => {
    const input = () => {
      const unpacked = createZstdDecompress();
      const packed = objects.read(blobKey(hash));
      packed.on('error', (error) => unpacked.destroy(error));
      return packed.pipe(unpacked);
    };
    const said: string[] = [];
    const outcome = await sandbox.run({
      name: `unpack-${process.pid}-${count++}`,
      argv: [
        'tar',
        '--extract',
        '--file=-',
        `--directory=${INNER_TREE}`,
        '--no-same-owner',
        '--delay-directory-restore',
      ],
      cwd: INNER_TREE,
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
      mounts: [{ kind: 'folder', from: folder, at: INNER_TREE, isWritable: true }],
      uid,
      limits: { memoryMb: 512, cpus: availableParallelism(), pids: 64, timeoutMs: TIMEOUT_MS },
      signal: new AbortController().signal,
      input,
      onLine: (line) => void (said.length < 20 && said.push(line)),
    });
    if (outcome.kind === 'exited' && outcome.exitCode === 0) return;
    throw new Error(`The files of a server could not be unpacked (${outcome.kind}): ${said.join(' | ')}`);
  };
}
