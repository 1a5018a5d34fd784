import type { FeatureFlag } from '@lilac/contract/endpoint';
import { useCall } from './use-call.ts';

/** Whether the platform has it switched on; undefined until that is known. */
export function useFlag(flag: FeatureFlag): boolean | undefined {
  const { data } = useCall('config.feature-flags', {});
  return data && (data.map[flag] ?? false);
}
