import { availableParallelism } from 'node:os';
import { blobKey } from '../../artifacts/static-manifest.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import type { Sandbox, SandboxOutcome } from '../../sandbox/sandbox.ts';
import { StartRefused } from '../runtime.ts';
import { NOT_WHAT_WAS_BUILT } from './not-what-was-built.ts';
import { PackedSlug } from './packed-slug.ts';
import type { SlugUse } from './slug-cache.ts';

const INNER_TREE = '/home/tree';
const TIMEOUT_MS = 15 * 60_000;
let count = 0;

/**
 * Unpacks by a `tar` that sees the folder and nothing else: whatever is in the archive, it can do no harm. Rejects with
 * `StartRefused` when it was not what the hash says; the folder is of no use then.
 */
export function createUnpacker({ objects, sandbox }: { objects: ObjectStore; sandbox: Sandbox }) {
  return async ({ hash, uid }: SlugUse, folder: string): Promise<void> => {
    using packed = new PackedSlug(() => objects.read(blobKey(hash)));
    const refuseAnother = async () => {
      const found = await packed.hash();
      if (found !== null && found !== hash) throw new StartRefused(NOT_WHAT_WAS_BUILT);
    };
    const said: string[] = [];
    let outcome: SandboxOutcome;
    try {
      outcome = await sandbox.run({
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
        input: () => packed.unpacked(),
        onLine: (line) => void (said.length < 20 && said.push(line)),
      });
    } catch (error) {
      // What is damaged may not even be compressed: that is told first.
      await refuseAnother();
      throw error;
    }
    if (outcome.kind === 'exited') await refuseAnother();
    if (outcome.kind === 'exited' && outcome.exitCode === 0) return;
    throw new Error(`The files of a server could not be unpacked (${outcome.kind}): ${said.join(' | ')}`);
  };
}
