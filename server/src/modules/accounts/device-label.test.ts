import { expect, it } from 'vitest';
import { deviceLabel } from './device-label.ts';

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  ['curl/8.14.1', 'curl'],
  ['', 'Unknown device'],
  [null, 'Unknown device'],
])('calls %s %s', (userAgent, label) => {
  expect(deviceLabel({ userAgent })).toBe(label);
});

it('prefers the name that the client gives itself', () => {
  expect(deviceLabel({ clientId: 'lilac-cli', userAgent: 'lilac/0.1 (darwin arm64)' })).toBe('lilac-cli on macOS');
});

it('keeps labels short', () => {
  expect(deviceLabel({ userAgent: 'x'.repeat(500) })).toHaveLength(100);
});
