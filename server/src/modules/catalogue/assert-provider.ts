import type { GitProvider } from '@lilac/contract/states';
import type { Config } from '../../config.ts';
import { Fault } from '../../lib/fault.ts';
import { isEnabled } from './feature-flags.ts';

/** The first repository host is always there; the others are features. */
export function assertProvider(config: Pick<Config, 'featureSwitches'>, provider: GitProvider): void {
  if (provider === 'provider1' || isEnabled(config, provider)) return;
  throw new Fault('FF001', `The feature ${provider} is not enabled on this platform.`);
}
