import { describe, expect, it } from 'vitest';
import { clearAttemptCookie, issueAttemptCookie, readAttemptCookie } from './attempt-cookie.ts';

const at = (url: string) =>
  ({ config: { publicUrl: new URL(url) }, provider: 'provider1', attemptId: 'vca_1' }) as const;
const read = (url: string) => readAttemptCookie(at(url), 'lc_vcs_provider1.vca_1=proof');

describe('the cookie of the browser that began', () => {
  it('is tied to the host and kept from scripts where the platform is on https', () => {
    expect(issueAttemptCookie(at('https://lilac.example'), 'proof')).toBe(
      '__Host-lc_vcs_provider1.vca_1=proof; Path=/; HttpOnly; SameSite=Lax; Max-Age=3600; Secure',
    );
    expect(clearAttemptCookie(at('https://lilac.example'))).toBe(
      '__Host-lc_vcs_provider1.vca_1=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure',
    );
  });

  it('works on plain http too', () => {
    const cookie = issueAttemptCookie(at('http://localhost:8080'), 'proof');
    expect(cookie).toBe('lc_vcs_provider1.vca_1=proof; Path=/; HttpOnly; SameSite=Lax; Max-Age=3600');
    expect(readAttemptCookie(at('http://localhost:8080'), `a=b; ${cookie.split(';')[0]}; c=d`)).toBe('proof');
  });

  it('proves nothing on plain http where who is below the same domain could have set it', () => {
    expect(['http://lilac.example', 'http://lilac.localhost:8080'].map(read)).toEqual([null, null]);
    const alone = ['http://localhost', 'http://192.0.2.7:8080', 'http://[2001:db8::7]'];
    expect(alone.map(read)).toEqual(['proof', 'proof', 'proof']);
  });

  it('is not read from one that anybody below the domain could have set, nor from that of another host or attempt', () => {
    const place = at('https://lilac.example');
    expect(readAttemptCookie(place, 'lc_vcs_provider1.vca_1=proof')).toBeNull();
    expect(readAttemptCookie(place, '__Host-lc_vcs_provider2.vca_1=proof')).toBeNull();
    expect(readAttemptCookie(place, '__Host-lc_vcs_provider1.vca_2=proof')).toBeNull();
    expect(readAttemptCookie(place, '__Host-lc_vcs_provider1.vca_1=')).toBeNull();
    expect(readAttemptCookie(place, undefined)).toBeNull();
  });
});
