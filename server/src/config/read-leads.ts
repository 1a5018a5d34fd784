import { ConfigError, readList } from './read-values.ts';

export const leadable = ['instances', 'databases'] as const;
export type Lead = (typeof leadable)[number];

export function readLeads(value: string | undefined): readonly Lead[] {
  if (value === undefined) return leadable;
  if (value === 'off') return [];
  const names = readList(value);
  if (!names.every(isLead)) {
    throw new ConfigError(`LILAC_LEADS must be ${leadable.join(', ')}, both separated by a comma, or off: "${value}".`);
  }
  return names;
}

const isLead = (name: string): name is Lead => leadable.some((each) => each === name);
