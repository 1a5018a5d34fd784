import { describe, expect, it } from 'vitest';
import { startPlatformDouble } from '../testing/start-platform-double.ts';
import { waitForApproval, type DeviceCode } from './device-sign-in.ts';

const code: DeviceCode = {
  device_code: 'device',
  user_code: 'ABCD-EFGH',
  verification_uri: 'https://lilac.example.org/device',
  verification_uri_complete: 'https://lilac.example.org/device?user_code=ABCD-EFGH',
  expires_in: 600,
  interval: 5,
};
const refusal = (error: string, status = 400) => ({ status, body: { error, message: error, code: 'VA001' } });
const tokens = { body: { access_token: 'access', refresh_token: 'refresh', token_type: 'Bearer', expires_in: 900 } };

/** Answers one after another; the last one for ever. */
async function startAnswering(...answers: { status?: number; body: unknown }[]) {
  const next = () => (answers.length > 1 ? answers.shift()! : answers[0]!);
  return await startPlatformDouble({ '/api/auth/device/token': next });
}

const wait = (apiUrl: string, secondMs = 1) => waitForApproval({ apiUrl, code, signal: undefined, secondMs });

describe('waitForApproval', () => {
  it('asks until it is approved, whatever stands between answers meanwhile', async () => {
    using platform = await startAnswering(
      refusal('authorization_pending'),
      { status: 502, body: '<html>' },
      { status: 429, body: {} },
      tokens,
    );
    expect(await wait(platform.url)).toEqual({ token: 'access', refreshToken: 'refresh' });
    expect(platform.received).toHaveLength(4);
    expect(platform.received[0]?.body).toBe(
      'grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=device&client_id=lilac-cli',
    );
  });

  it('asks less often when told so', async () => {
    using platform = await startAnswering(refusal('slow_down'), refusal('slow_down'), tokens);
    const startedMs = performance.now();
    await wait(platform.url, 4);
    // 5, then 10, then 15 of these seconds.
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(4 * 30 - 5);
  });

  it.each([
    ['access_denied', 'refused in the browser'],
    ['expired_token', 'lilac login'],
    ['invalid_grant', 'lilac login'],
  ])('gives up at %s', async (error, message) => {
    using platform = await startAnswering(refusal(error));
    await expect(wait(platform.url)).rejects.toThrow(message);
  });

  it('never follows a redirect with the code', async () => {
    using other = await startAnswering(tokens);
    const headers = { location: `${other.url}/api/auth/device/token` };
    using platform = await startPlatformDouble({ '/api/auth/device/token': { status: 307, headers, body: '' } });
    await expect(wait(platform.url)).rejects.toThrow(`says that it is at ${other.url}`);
    expect(other.received).toEqual([]);
  });

  it('ends when it is interrupted', async () => {
    using platform = await startAnswering(refusal('authorization_pending'));
    const waiting = waitForApproval({ apiUrl: platform.url, code, signal: AbortSignal.timeout(20), secondMs: 1 });
    await expect(waiting).rejects.toThrow('aborted');
  });
});
