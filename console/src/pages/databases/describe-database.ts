import type { DatabaseStatus, DatabaseType } from '@lilac/contract/states';
import type { OutputOf } from '../../lib/api-types.ts';
import { formatSize } from '@lilac/contract/format-size';

export type Database = OutputOf<'databases.get'>;
export type Catalogue = OutputOf<'config.platform'>;
export type Tier = Catalogue['databaseTiers'][number];

const moving: readonly DatabaseStatus[] = ['provisioning', 'updating', 'deleting'];

/** Whether something is being done to it. */
export function isMoving({ status }: Pick<Database, 'status'>): boolean {
  return moving.includes(status);
}

const engines: Record<DatabaseType, string> = { postgresql: 'PostgreSQL', mysql: 'MySQL (MariaDB)' };

/** "PostgreSQL 17.4". */
export function nameEngine({ database_type, version }: Pick<Database, 'database_type' | 'version'>): string {
  return `${engines[database_type]} ${version}`.trim();
}

/**
 * "Micro, shared" where the catalogue has it, else what it gives; until that has come, nothing that only programs read.
 */
export function nameTier(tier: string, tiers: readonly Tier[]): string {
  const known = tiers.find(({ id }) => id === tier);
  if (known) return known.label;
  const [, vcpu, memoryMb] = /^db-custom-(\d+)-(\d+)$/.exec(tier)?.map(Number) ?? [];
  if (vcpu && memoryMb) return `${vcpu} vCPU, ${formatMegabytes(memoryMb)}`;
  return tiers.length === 0 ? '…' : tier;
}

export function memoryMbOf(tier: string, tiers: readonly Tier[]): number | null {
  const known = tiers.find(({ id }) => id === tier);
  return known?.memoryMb ?? (Number(/^db-custom-\d+-(\d+)$/.exec(tier)?.[1] ?? 0) || null);
}

export const formatMegabytes = (memoryMb: number): string => formatSize(memoryMb * 2 ** 20);

/** How many clients may be connected at a time: 5 for every 60 MB. */
export function connectionsOf(memoryMb: number): number {
  return Math.min(1000, Math.max(25, Math.floor(memoryMb / 60) * 5));
}
