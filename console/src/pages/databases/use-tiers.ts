import { useCall } from '../../lib/use-call.ts';
import type { Tier } from './describe-database.ts';

const none: readonly Tier[] = [];

/** The tiers there are; none until they have come. */
export function useTiers(): readonly Tier[] {
  return useCall('config.platform', {}).data?.databaseTiers ?? none;
}
