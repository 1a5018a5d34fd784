import type { CallInput } from '@lilac/contract/client';
import type { DatabaseType } from '@lilac/contract/states';
import type { FormValues } from '../../parts/form.tsx';

type NewDatabase = CallInput<'databases.create'>['body'];

export const OTHER_TIER = 'other';

/** What the form says as the API takes it; what was left empty is left out, and made up there. */
export function readNewDatabase(values: FormValues, targetOrganisationId: string): NewDatabase {
  const isPublic = values['public'] === 'on';
  const said = {
    databaseName: textOf(values['databaseName']),
    adminUser: textOf(values['adminUser']),
    adminPassword: values['adminPassword'] || undefined,
    projectId: values['folder'] || undefined,
    authorizedNetworks: isPublic ? readNetworks(values['networks'] ?? '') : undefined,
  };
  return {
    targetOrganisationId,
    name: values['name'] ?? '',
    databaseType: values['engine'] as DatabaseType,
    tier: readTier(values),
    storageGb: Number(values['storageGb']),
    haEnabled: values['ha'] === 'on',
    publicIpEnabled: isPublic,
    ...(JSON.parse(JSON.stringify(said)) as typeof said),
  };
}

/** Which card is chosen, and what the fields of a size of one's own say. Named as the form names them. */
export interface TierDraft {
  tier: string;
  vcpu: string;
  memoryMb: string;
}

export function draftTier(current: string, tiers: readonly { id: string }[]): TierDraft {
  if (tiers.some(({ id }) => id === current)) return { tier: current, vcpu: '1', memoryMb: '1024' };
  const [, vcpu = '1', memoryMb = '1024'] = /^db-custom-(\d+)-(\d+)$/.exec(current) ?? [];
  return { tier: OTHER_TIER, vcpu, memoryMb };
}

/** A tier of the catalogue, or a size of one's own. */
export function readTier({ tier = '', vcpu, memoryMb }: Partial<TierDraft>): string {
  return tier === OTHER_TIER ? `db-custom-${vcpu}-${memoryMb}` : tier;
}

/** One in a line, or with commas between. */
export function readNetworks(text: string): string[] {
  return text.split(/[\s,;]+/).filter((network) => network !== '');
}

const textOf = (text: string | undefined) => text?.trim() || undefined;
