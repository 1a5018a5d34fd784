import { describe, expect, it } from 'vitest';
import { StartFailed } from './fleet.ts';
import { healthPathOf } from './health-path.ts';

describe('the path of the check', () => {
  it('is what was set, and none where nothing was', () => {
    expect(healthPathOf({ LILAC_HEALTH_PATH: '/health?deep=1' })).toBe('/health?deep=1');
    expect(healthPathOf({ LILAC_HEALTH_PATH: '/'.padEnd(1000, 'a') })).toHaveLength(1000);
    expect(healthPathOf({})).toBeNull();
    expect(healthPathOf({ LILAC_HEALTH_PATH: '' })).toBeNull();
  });

  it.each(['health', 'http://elsewhere/', '/with space', '/line\r\nHost: other', '/ü', '/'.padEnd(1001, 'a')])(
    'that cannot be asked for is told: %j',
    (path) => {
      expect(() => healthPathOf({ LILAC_HEALTH_PATH: path })).toThrow(StartFailed);
    },
  );
});
