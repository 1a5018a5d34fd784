/** What the store says of one leadership. */
export interface LeadershipRow {
  /** Grows with every leader: what the former one writes is known by it. */
  term: string;
  /** The worker that leads, or led last; null where it gave up by itself. */
  worker: string | null;
  /** The host that it is, or was, on; null where it may move to any. */
  host: string | null;
  /** A session stands that leads. */
  isHeld: boolean;
}

/**
 * Where a leadership can go. `sole`: only one host has the store. `bound`: what is led lives on one host, and no
 * other can lead it. `free`: every host reaches what is led. `none`: not here; it is left to other hosts.
 */
export type Reach = 'sole' | 'bound' | 'free' | 'none';

export interface Candidate {
  worker: string;
  host: string;
  reach: Reach;
  /** For how long nobody has led, as far as this worker has seen. */
  freeForMs: number;
}

/**
 * A leader whose session the store has ended may only have to connect again, as after a restart of the store: it
 * has this long before another leads, who would have to find everything anew.
 */
export const LEADER_RETURNS_MS = 1000;

/** Whether the candidate may try to lead now. Null: nobody has ever led. */
export function mayLead(row: LeadershipRow | null, { worker, host, reach, freeForMs }: Candidate): boolean {
  if (reach === 'none') return false;
  if (row === null) return true;
  if (row.isHeld) return false;
  if (reach === 'sole') return true;
  if (row.host !== null && row.host !== host && reach === 'bound') return false;
  return row.worker === null || row.worker === worker || freeForMs >= LEADER_RETURNS_MS;
}
