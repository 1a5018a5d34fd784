import type { FeatureFlag } from '@lilac/contract/endpoint';
import { type Loaded, useCall } from './use-call.ts';

/** Whether the platform has it switched on, once that is known. */
export function useFlag(flag: FeatureFlag): Loaded<boolean> {
  const { data, error, reload } = useCall('config.feature-flags', {});
  return { ...(data && { data: data.map[flag] ?? false }), error, reload };
}
