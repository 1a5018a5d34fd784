import type { Question } from '../../../parts/asking-form.tsx';
import { connectionsOf, type Database, memoryMbOf, nameTier, type Tier } from '../../databases/describe-database.ts';

type Sized = Pick<Database, 'name' | 'tier' | 'ha_enabled'>;

/** For how long nobody can connect while its server gets another size. */
export function sayPause({ ha_enabled }: Pick<Sized, 'ha_enabled'>): string {
  return ha_enabled ? 'for as long as a failover takes' : 'for some seconds';
}

/** What another size does; null where it is no other. */
export function askOfSize(database: Sized, wanted: string, tiers: readonly Tier[]): Question | null {
  const { name, tier } = database;
  if (wanted === tier) return null;
  const [before, after] = [memoryMbOf(tier, tiers), memoryMbOf(wanted, tiers)];
  const isLess = before !== null && after !== null && connectionsOf(after) < connectionsOf(before);
  const consequence = [
    `It has the size “${nameTier(tier, tiers)}” now.`,
    `Its server restarts at once: clients cannot connect ${sayPause(database)}, and open connections break.`,
    isLess &&
      `After that it takes ${connectionsOf(after)} connections at a time, not ${connectionsOf(before)}, and has less memory for large rows.`,
    'Its data stays.',
  ];
  return {
    title: `Change the size of ${name} to “${nameTier(wanted, tiers)}”?`,
    consequence: consequence.filter(Boolean).join(' '),
  };
}
