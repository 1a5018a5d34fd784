import { sha256 } from '../../../lib/hash.ts';
import type { HostEvent } from '../../../vcs/vcs-host.ts';
import { storable } from '../../deployments/storable.ts';

const LONGEST_ID = 200;
const LONGEST_TEXT = 64 * 1024;

/** Hosts make short ones; a header holds whatever somebody sends. */
export function storableId(id: string): string {
  return id.length <= LONGEST_ID ? storable(id) : sha256(id).toString('hex');
}

/** A commit's message may be of any length, and every text hold what the store cannot. */
export function storableEvents(events: readonly HostEvent[]): HostEvent[] {
  const told = JSON.stringify(events, (_name, value: unknown) =>
    typeof value === 'string' ? storable(value.slice(0, LONGEST_TEXT)) : value,
  );
  return JSON.parse(told) as HostEvent[];
}
