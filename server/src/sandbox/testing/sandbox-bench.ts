import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../lib/log.ts';
import { createSandbox } from '../create-sandbox.ts';
import type { Mount, Sandbox, SandboxOutcome, SandboxRequest } from '../sandbox.ts';
import { uidOf } from '../uids.ts';

/** A platform's home with one folder to work in, and a sandbox that sees the folder as /home/work. */
export interface SandboxBench extends Disposable {
  home: string;
  work: string;
  sandbox: Sandbox;
  makeFolder(name: string): string;
  request(script: string, options?: Partial<SandboxRequest>): SandboxRequest;
  run(script: string, options?: Partial<SandboxRequest>): Promise<{ outcome: SandboxOutcome; lines: string[] }>;
}

let count = 0;
const uid = uidOf('org_bench');

export function openSandboxBench(): SandboxBench {
  const home = mkdtempSync(join(tmpdir(), 'lilac-sandbox-'));
  const sandbox = createSandbox({ config: { home }, log: silentLog });
  const makeFolder = (name: string) => {
    const folder = join(home, name);
    mkdirSync(folder, { recursive: true });
    if (process.getuid?.() === 0) chownSync(folder, uid, uid);
    return folder;
  };
  const work = makeFolder('work');
  const mounts: Mount[] = [{ kind: 'folder', from: work, at: '/home/work', isWritable: true }];
  const request = (script: string, options: Partial<SandboxRequest> = {}): SandboxRequest => ({
    name: `bench-${process.pid}-${count++}`,
    argv: ['/bin/sh', '-c', script],
    cwd: '/home/work',
    env: { PATH: '/usr/bin:/bin' },
    mounts,
    uid,
    limits: { memoryMb: 256, cpus: 2, pids: 64, timeoutMs: 30_000 },
    signal: new AbortController().signal,
    onLine: () => {},
    ...options,
  });
  return {
    home,
    work,
    sandbox,
    makeFolder,
    request,
    async run(script, options = {}) {
      const lines: string[] = [];
      const outcome = await sandbox.run(request(script, { onLine: (line) => void lines.push(line), ...options }));
      return { outcome, lines };
    },
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  };
}
