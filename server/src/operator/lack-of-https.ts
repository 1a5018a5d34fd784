import { readHttpsLack } from '../certificates/https-lack-file.ts';
import { pathsOf, type Config } from '../config.ts';
import { isHeld } from './is-held.ts';

/** Why the platform that runs serves no https though its settings would have it; null: it does, or does not run. */
export function lackOfHttps(config: Pick<Config, 'home'>): string | null {
  const paths = pathsOf(config);
  return isHeld(paths.supervisorLock) ? readHttpsLack(paths.httpsLack) : null;
}
