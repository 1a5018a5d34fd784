import { createSandbox } from '../create-sandbox.ts';
import { silentLog } from '../../lib/log.ts';
import { uidOf } from '../uids.ts';

/** A worker to be killed: starts a sandbox in the given home that never ends by itself. */
const [home = '', marker = ''] = process.argv.slice(2);
await createSandbox({ config: { home }, log: silentLog }).run({
  name: 'orphan',
  argv: ['/bin/sh', '-c', `setsid sleep ${marker} & sleep ${marker}`],
  cwd: '/',
  env: { PATH: '/usr/bin:/bin' },
  mounts: [],
  uid: uidOf('org_bench'),
  limits: { memoryMb: 256, cpus: 1, pids: 64, timeoutMs: 600_000 },
  signal: new AbortController().signal,
  onLine: () => {},
});
