import type { OutputOf } from './api-types.ts';

type Entry = OutputOf<'organisations.activity'>[number];

export interface DomainWarning {
  environmentId: string;
  /** Its application and itself, by name. */
  subject: string | null;
  what: string;
}

const whats: Record<string, string> = {
  certificate_failed: 'the certificate of its domain could not be had',
  certificate_expiring: 'the certificate of its domain ends soon and could not be renewed',
  custom_domain_lost: 'another organisation has shown that its domain is theirs, and has it now',
};

/** What ends a warning: somebody has done something about it, or it has gone well since. */
const ends = new Set(['certificate_issued', 'custom_domain_updated', 'custom_domain_removed', 'environment_deleted']);

/** For so long somebody may not have heard of it; what lasts is warned of anew every day. */
const WINDOW_MS = 7 * 24 * 3600 * 1000;

/** Of what happened, newest first: what of each environment's domain is amiss and was not ended since. */
export function domainWarnings(entries: readonly Entry[], nowMs: number): DomainWarning[] {
  const newest = new Map<string, Entry>();
  for (const entry of entries) {
    const { environment_id, action } = entry;
    if (environment_id === null || newest.has(environment_id)) continue;
    if (Object.hasOwn(whats, action) || ends.has(action)) newest.set(environment_id, entry);
  }
  return [...newest.values()]
    .filter(({ action, created_at }) => !ends.has(action) && nowMs - Date.parse(created_at) < WINDOW_MS)
    .map(({ environment_id, subject, action }) => ({
      environmentId: environment_id!,
      subject,
      what: whats[action]!,
    }));
}
