import { runsAsRoot } from '../../store/store-user.ts';

/**
 * Older programs look where they lie by going there, and do not find back into a working directory whose parents are
 * shut to them.
 */
const FIRST_THAT_STAYS = 16;

const DESCRIPTOR = 9;
/** Holds the working directory open, leaves it, and becomes the program. */
const HOLD = `exec ${DESCRIPTOR}<. && cd / && exec "$0" "$@"`;

type Argv = readonly [string, ...string[]];

/** How a program of that series is started in the folder that is its data; `name` is what it usually calls that. */
export function argvWithData(series: number, name: string, argvFor: (data: string) => Argv): Argv {
  if (series >= FIRST_THAT_STAYS || !runsAsRoot) return argvFor(name);
  return ['/bin/sh', '-c', HOLD, ...argvFor(`/proc/self/fd/${DESCRIPTOR}`)];
}
