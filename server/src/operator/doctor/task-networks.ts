import { setTimeout as delay } from 'node:timers/promises';
import { openEngine } from '../../runtime/docker/engine.ts';
import { ok, warn, type CheckedHost, type Finding } from './check.ts';

const PATIENCE_MS = 5000;
/**
 * What the engine writes at its own bridge, where tasks are, for its setting `icc`. Of `userland-proxy` it tells
 * nothing.
 */
const MAY_CALL = 'com.docker.network.bridge.enable_icc';

/** What keeps tasks of a swarm from one another, and whether they can tell this machine's worker from its builds. */
export async function lookAtTaskNetworks({ config }: Pick<CheckedHost, 'config'>): Promise<Finding> {
  const found = 'each task has a firewall of its own: it reaches no other task, on whichever machine';
  if (await mayCallOneAnother(config.runtime.dockerSocket)) return ok(found);
  return warn(
    `${found}; containers of this machine’s engine may not call one another (icc), and where its userland-proxy is ` +
      'off as well, a worker of this machine starts no server on it',
    'Leave userland-proxy on in /etc/docker/daemon.json, or icc (docs/more-than-one-machine.md, "The swarm").',
  );
}

/** Of an engine that does not answer others tell. */
async function mayCallOneAnother(socketPath: string): Promise<boolean> {
  const asking = openEngine(socketPath).getNetwork('bridge').inspect();
  const silence = delay(PATIENCE_MS, null, { ref: false });
  const about = await Promise.race([asking.catch(() => null), silence]);
  return about?.Options?.[MAY_CALL] !== 'false';
}
