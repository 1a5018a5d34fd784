import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { slotAddress, type AddressRange } from './address-range.ts';
import type { DoorGuest } from './doors.ts';
import { identify, isAlive, type ProcessIdentity } from '../../lib/process-identity.ts';

/** Who has a place, and since which process; a file each, so that it outlives us. */
export interface SlotRecord {
  /** `ready`: made and never used. `resting`: given back, and not yet to be used again. */
  use: 'ready' | 'leased' | 'resting';
  /** Null unless leased, and where only the lease itself told of it. */
  instanceId: string | null;
  /** Whose databases it may reach; left out: nobody's. */
  organisationId?: string | null;
  /** When it was given back, in milliseconds; of resting ones only. */
  since?: number;
  owner: ProcessIdentity | null;
}

type Use = Pick<SlotRecord, 'use' | 'instanceId' | 'organisationId' | 'since'>;

export interface SlotRecords {
  /** Takes a number that nobody has; false when somebody was faster, in this process or another. */
  claim(slot: number, use: Use): boolean;
  assign(slot: number, use: Use): void;
  forget(slot: number): void;
  slotOf(instanceId: string): number | null;
  get(slot: number): SlotRecord | undefined;
  /** Whether it is still on disk: the whole installation may have been removed. */
  isKept(slot: number): boolean;
  /** As this process knows them. */
  known(): ReadonlyMap<number, SlotRecord>;
  /** Read anew: with what other processes have written. */
  list(): ReadonlyMap<number, SlotRecord>;
  /** Whether another process that lives has it in hand. */
  isOfAnother(record: SlotRecord | undefined): boolean;
  /** All are gone, as after a restart of the machine. */
  clear(): void;
}

export function openSlotRecords(folder: string): SlotRecords {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const owner = identify(process.pid);
  let known = readRecords(folder);
  const pathOf = (slot: number): string => join(folder, `${slot}.json`);
  const draft = (slot: number, record: SlotRecord): string => {
    const path = join(folder, `.${slot}.${process.pid}`);
    writeFileSync(path, JSON.stringify(record));
    return path;
  };
  return {
    claim(slot, use) {
      const record = { ...use, owner };
      const isClaimed = linkNew(draft(slot, record), pathOf(slot));
      if (isClaimed) known.set(slot, record);
      return isClaimed;
    },
    assign(slot, use) {
      const record = { ...use, owner };
      renameSync(draft(slot, record), pathOf(slot));
      known.set(slot, record);
    },
    forget(slot) {
      rmSync(pathOf(slot), { force: true });
      known.delete(slot);
    },
    slotOf: (instanceId) => [...known].find(([, record]) => record.instanceId === instanceId)?.[0] ?? null,
    get: (slot) => known.get(slot),
    isKept: (slot) => existsSync(pathOf(slot)),
    known: () => known,
    list: () => (known = readRecords(folder)),
    isOfAnother: (record) => Boolean(record?.owner && record.owner.pid !== process.pid && isAlive(record.owner)),
    clear() {
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true });
      known.clear();
    },
  };
}

/** Those that have a place in the range now. */
export function leasedGuests(range: AddressRange, records: ReadonlyMap<number, SlotRecord>): DoorGuest[] {
  return [...records].flatMap(([slot, { use, organisationId }]) =>
    use === 'leased' && organisationId ? [{ address: slotAddress(range, slot), organisationId }] : [],
  );
}

/** By link(2): the file is there whole, or it was there before. */
function linkNew(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readRecords(folder: string): Map<number, SlotRecord> {
  const names = readdirSync(folder).filter((name) => /^\d+\.json$/.test(name));
  return new Map(names.map((name) => [Number.parseInt(name, 10), readRecord(join(folder, name))]));
}

/** One that cannot be read is nobody's. */
function readRecord(path: string): SlotRecord {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as SlotRecord;
  } catch {
    return { use: 'resting', instanceId: null, owner: null };
  }
}
