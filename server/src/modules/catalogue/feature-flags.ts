import { featureFlags, type FeatureFlag } from '@lilac/contract/endpoint';
import type { Config } from '../../config.ts';

type Switches = Pick<Config, 'featureSwitches'>;

/** On unless the configuration says otherwise. */
export function isEnabled({ featureSwitches }: Switches, flag: FeatureFlag): boolean {
  return featureSwitches[flag] ?? true;
}

export function effectiveFlags(config: Switches): { flags: FeatureFlag[]; map: Record<FeatureFlag, boolean> } {
  const flags = featureFlags.filter((flag) => isEnabled(config, flag));
  const entries = featureFlags.map((flag) => [flag, flags.includes(flag)] as const);
  return { flags, map: Object.fromEntries(entries) as Record<FeatureFlag, boolean> };
}
