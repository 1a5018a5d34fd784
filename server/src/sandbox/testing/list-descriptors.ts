import { silentLog } from '../../lib/log.ts';
import { createSandbox } from '../create-sandbox.ts';
import { uidOf } from '../uids.ts';

/** A platform that was started with descriptors open: prints which of them a sandboxed program has. */
const [home = ''] = process.argv.slice(2);
await createSandbox({ config: { home }, log: silentLog }).run({
  name: 'descriptors',
  argv: ['/bin/ls', '-l', '/proc/self/fd'],
  cwd: '/',
  env: { PATH: '/usr/bin:/bin' },
  mounts: [],
  uid: uidOf('org_bench'),
  limits: { memoryMb: 256, cpus: 1, pids: 64, timeoutMs: 60_000 },
  signal: new AbortController().signal,
  onLine: (line) => console.log(line),
});
