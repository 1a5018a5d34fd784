import type { SwarmWorld } from './swarm-world.ts';

/** How many starts wait for a task of a service. One that has noted its task waits no more, unless it was in vain. */
export function beginWaiting({ waiting }: Pick<SwarmWorld, 'waiting'>, service: string) {
  let waits = false;
  const set = (isSo: boolean) => {
    if (waits === isSo) return;
    waits = isSo;
    const count = (waiting.get(service) ?? 0) + (isSo ? 1 : -1);
    if (count > 0) waiting.set(service, count);
    else waiting.delete(service);
  };
  set(true);
  return { end: () => set(false), again: () => set(true) };
}
