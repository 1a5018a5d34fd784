import type { databases } from '@lilac/contract/databases';
import type { BodyOf } from '@lilac/contract/endpoint';
import { isDeepStrictEqual } from 'node:util';
import type { DatabaseRow } from '../../db/schema.ts';
import type { Engine } from '../../engines/engine.ts';
import { invalid } from '../../lib/fault.ts';
import { assertRegion } from '../environments/region.ts';
import type { ServerColumns } from './job-kinds.ts';
import { readNetworks } from './networks.ts';
import { assertStorage } from './storage-limit.ts';
import { assertTier, type Machine } from './tier.ts';

export type DatabaseUpdate = Omit<
  BodyOf<(typeof databases)['databases.update']>,
  'targetOrganisationId' | 'databaseId'
>;

/** A name is what people call it; the rest is about its servers. */
export interface DatabaseChange {
  name: string | null;
  servers: Partial<ServerColumns>;
}

const SAY_WHAT = 'Say what to change: name, tier, region, storageGb, haEnabled, publicIpEnabled or authorizedNetworks.';

/** What is asked for and not so already; refuses what cannot be. */
export function changeOf(
  before: DatabaseRow,
  update: DatabaseUpdate,
  { machine, largestGb, engine }: { machine: Machine; largestGb: number; engine: Pick<Engine, 'assertNetwork'> },
): DatabaseChange {
  const { tier, region, storageGb, authorizedNetworks, haEnabled, publicIpEnabled } = update;
  const told = [update.name, tier, region, storageGb, authorizedNetworks, haEnabled, publicIpEnabled];
  if (told.every((each) => each === undefined)) throw invalid(SAY_WHAT);
  if (tier !== undefined && tier !== before.tier) assertTier(tier, machine);
  if (region !== undefined) assertRegion(region);
  if (storageGb !== undefined && storageGb < before.storage_gb) {
    throw invalid(`storageGb is ${before.storage_gb} and can only grow; ${storageGb} is less.`);
  }
  // What it has, it may keep saying, on a smaller disk too.
  if (storageGb !== undefined && storageGb > before.storage_gb) assertStorage(storageGb, largestGb);
  const wanted: Partial<ServerColumns> = {
    tier,
    storage_gb: storageGb,
    ha_enabled: haEnabled,
    public_ip_enabled: publicIpEnabled,
    authorized_networks: authorizedNetworks && readNetworks(authorizedNetworks, engine),
  };
  const name = update.name?.trim();
  return { name: name === undefined || name === before.name ? null : name, servers: differing(before, wanted) };
}

export function serverColumnsOf(row: DatabaseRow): ServerColumns {
  const { tier, storage_gb, ha_enabled, public_ip_enabled, authorized_networks } = row;
  return { tier, storage_gb, ha_enabled, public_ip_enabled, authorized_networks };
}

function differing(before: DatabaseRow, wanted: Partial<ServerColumns>): Partial<ServerColumns> {
  const entries = Object.entries(wanted) as [keyof ServerColumns, unknown][];
  return Object.fromEntries(
    entries.filter(([column, value]) => value !== undefined && !isDeepStrictEqual(value, before[column])),
  );
}
