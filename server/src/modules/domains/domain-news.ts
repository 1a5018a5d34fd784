import type { Severity } from '@lilac/contract/states';
import type { DomainRow } from '../../db/schema.ts';
import type { Action } from '../activity/activity.ts';
import type { DnsVerdict } from './judge-dns.ts';

export interface DomainNews {
  severity: Severity;
  message: string;
}

/** News that is an entry in the activity as well. */
export interface LookNews extends DomainNews {
  action: Extract<Action, `custom_domain_${string}`>;
}

/** What a look has brought that was not so before; null: nothing. */
export function newsOf(
  {
    hostname,
    verified_at,
    is_pointing: wasPointing,
    astray_since,
  }: Pick<DomainRow, 'hostname' | 'verified_at' | 'is_pointing' | 'astray_since'>,
  { isProved, isPointing, error }: DnsVerdict,
): LookNews | null {
  if (verified_at === null) {
    const served = `The domain ${hostname} is proved, and served from now on.`;
    const message = isPointing ? served : `The domain ${hostname} is proved. It is served once its records lead here.`;
    return isProved ? { action: 'custom_domain_verified', severity: 'INFO', message } : null;
  }
  if (isPointing === true && astray_since !== null) {
    return { action: 'custom_domain_back', severity: 'INFO', message: `The domain ${hostname} leads here again.` };
  }
  if (isPointing !== false || !wasPointing) return null;
  const message = `The domain ${hostname} no longer leads here. ${error}`;
  return { action: 'custom_domain_astray', severity: 'WARN', message };
}

export const lostNews = (hostname: string): DomainNews => ({
  severity: 'WARN',
  message: `The domain ${hostname} was taken over by another organisation of this platform: its DNS names them.`,
});
