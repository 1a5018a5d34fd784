import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeWhole } from '../../lib/write-whole.ts';
import type { DatabaseDoor } from '../runtime.ts';
import type { AddressRange } from './address-range.ts';
import type { Firewall, FirewallDoors, FirewallPolicy } from './firewall/firewall.ts';
import { NetworkFailure } from './host-tools.ts';

/** Which instances reach which databases: the firewall is told whenever an instance comes or goes. */
export interface Doors {
  /**
   * Remembered on disk, so that the next process has them before it is told. In force with the next `apply` or `sync`.
   */
  remember(doors: readonly DatabaseDoor[]): void;
  /** Puts all rules in force. */
  apply(policy: Omit<FirewallPolicy, 'doors'>, range: AddressRange): Promise<void>;
  /** Resolves when the rules follow from what is so now; nothing is done where they do already. */
  sync(): Promise<void>;
}

export interface DoorsDeps {
  firewall: Firewall;
  /** Who stands where now. */
  guests: (range: AddressRange) => readonly DoorGuest[];
  path: string;
}

/** An instance or a network of them, and whose databases it may reach. */
export interface DoorGuest {
  /** `10.213.36.7` or `10.213.36.16/28`. */
  address: string;
  organisationId: string;
}

type Applied = { policy: Omit<FirewallPolicy, 'doors'>; range: AddressRange; text: string };

export function createDoors({ firewall, guests, path }: DoorsDeps): Doors {
  let doors = readDoors(path);
  let applied: Applied | null = null;
  let last: Promise<unknown> = Promise.resolve();
  // One after another: what was decided later must also be in force later.
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  const now = (range: AddressRange) => firewallDoors(doors, guests(range));

  async function push(before: Applied): Promise<void> {
    const { policy, range } = before;
    const wanted = now(range);
    const text = JSON.stringify(wanted);
    if (text === before.text) return;
    // Until that is certain, nobody knows what is in force.
    applied = { policy, range, text: '' };
    try {
      await firewall.setDoors({ ...policy, doors: wanted });
    } catch (error) {
      if (!(error instanceof NetworkFailure)) throw error;
      // Somebody has flushed the machine's firewall.
      await firewall.apply({ ...policy, doors: wanted });
    }
    applied = { policy, range, text };
  }

  return {
    remember(given) {
      doors = given;
      mkdirSync(dirname(path), { recursive: true });
      writeWhole(path, JSON.stringify(doors), { mode: 0o600 });
    },
    apply: (policy, range) =>
      inTurn(async () => {
        const wanted = now(range);
        await firewall.apply({ ...policy, doors: wanted });
        applied = { policy, range, text: JSON.stringify(wanted) };
      }),
    sync: () =>
      inTurn(async () => {
        if (applied) await push(applied);
      }),
  };
}

/** What the doors mean while these are there. */
export function firewallDoors(doors: readonly DatabaseDoor[], guests: readonly DoorGuest[]): FirewallDoors {
  const guarded = doors.filter(({ organisationId }) => organisationId !== null);
  const pairs = guests.flatMap(({ address, organisationId }) =>
    guarded.filter((door) => door.organisationId === organisationId).map(({ port }) => ({ address, port })),
  );
  return {
    openPorts: portsOf(doors.filter(({ organisationId }) => organisationId === null)),
    guardedPorts: portsOf(guarded),
    privatePorts: portsOf(doors.filter(({ isPrivate }) => isPrivate)),
    pairs: pairs.toSorted((one, other) => (textOf(one) < textOf(other) ? -1 : 1)),
  };
}

const portsOf = (doors: readonly DatabaseDoor[]): number[] =>
  [...new Set(doors.map(({ port }) => port))].toSorted((one, other) => one - other);

const textOf = ({ address, port }: { address: string; port: number }): string => `${address} ${port}`;

function readDoors(path: string): readonly DatabaseDoor[] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as DatabaseDoor[];
  } catch {
    return [];
  }
}
