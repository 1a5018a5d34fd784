import { describe, expect, it } from 'vitest';
import { domainWarnings } from './domain-warnings.ts';

const NOW = Date.parse('2026-11-15T12:00:00.000Z');
const DAY_MS = 24 * 3600 * 1000;

const entry = (action: string, { environment = 'env_1', daysAgo = 0 } = {}) => ({
  id: 'act_1',
  action,
  actor_email: 'platform',
  created_at: new Date(NOW - daysAgo * DAY_MS).toISOString(),
  application_id: 'app_1',
  environment_id: environment,
  subject: 'Shop / production',
});

const warned = (...entries: ReturnType<typeof entry>[]) =>
  domainWarnings(entries, NOW).map(({ environmentId }) => environmentId);

describe('what is said about domains wherever one is in the console', () => {
  it.each(['certificate_failed', 'certificate_expiring', 'custom_domain_lost'])('is %s', (action) => {
    expect(domainWarnings([entry(action)], NOW)).toMatchObject([
      { environmentId: 'env_1', subject: 'Shop / production' },
    ]);
  });

  it('is said once for an environment', () => {
    expect(warned(entry('certificate_expiring'), entry('certificate_failed', { daysAgo: 1 }))).toEqual(['env_1']);
  });

  it.each(['certificate_issued', 'custom_domain_updated', 'custom_domain_removed', 'environment_deleted'])(
    'ends with %s, of the same environment and afterwards',
    (action) => {
      const failed = entry('certificate_failed', { daysAgo: 1 });
      expect(warned(entry(action), failed)).toEqual([]);
      expect(warned(entry(action, { environment: 'env_2' }), failed)).toEqual(['env_1']);
      expect(warned(failed, entry(action, { daysAgo: 2 }))).toEqual(['env_1']);
    },
  );

  it('ends after a week in which nothing was said', () => {
    expect(warned(entry('certificate_expiring', { daysAgo: 8 }))).toEqual([]);
  });

  it('is nothing else that happens', () => {
    expect(warned(entry('deployment_started'), entry('custom_domain_verified'))).toEqual([]);
  });
});
