import type { EndpointName } from '@lilac/contract/endpoints';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { systemClock } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import { createServer, type ServerDeps } from './create-server.ts';
import type { Handlers } from './handler.ts';

/** The server with one handler that returns what it is told to. */
async function answerOf(name: EndpointName, returned: object, options: { url: string; payload?: object }) {
  const unused = new Proxy({}, { get: () => () => Promise.reject(new Error('not under test')) });
  const deps = {
    config: readConfig({}),
    clock: systemClock,
    log: silentLog,
    handlers: { [name]: () => returned } as unknown as Handlers,
    accessTokens: unused as ServerDeps['accessTokens'],
    access: unused as ServerDeps['access'],
    sessionOfRefreshToken: () => Promise.resolve(null),
    noteKeyUse: () => {},
    isFeatureOn: () => true,
  };
  await using app = createServer(deps);
  return await app.inject({ method: options.payload ? 'POST' : 'GET', ...options });
}

describe('an answer', () => {
  it('holds only what is declared, whatever the handler returned', async () => {
    const returned = { status: 'ok', timestamp: '2030-01-31T12:00:00.000Z', uptime: 1.5, password: 'leaked' };
    const answer = await answerOf('health.get', returned, { url: '/api/health' });
    expect(answer.json()).toEqual({ status: 'ok', timestamp: '2030-01-31T12:00:00.000Z', uptime: 1.5 });
  });

  it('holds only what is declared of the alternative it is', async () => {
    const login = { url: '/api/auth/login', payload: { email: 'ada@example.org', password: 'x' } };
    const pair = await answerOf('auth.login', { token: 't', refreshToken: 'r', userId: 'leaked' }, login);
    expect(pair.json()).toEqual({ token: 't', refreshToken: 'r' });
    const pending = await answerOf('auth.login', { mfaRequired: true, pendingToken: 'p', userId: 'leaked' }, login);
    expect(pending.json()).toEqual({ mfaRequired: true, pendingToken: 'p' });
  });

  it('is a failure of ours, and not half an answer, when a declared field is missing', async () => {
    const answer = await answerOf('health.get', { status: 'ok' }, { url: '/api/health' });
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toMatchObject({ code: 'SV001' });
  });
});
