import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { expect } from 'vitest';
import { visit } from '../deploying.ts';
import type { Scene } from './scene.ts';

/** A step: who knows the password gets in, and nobody any more once it is another. */
export async function opensForWhoKnowsThePassword({ deployer, server }: Scene): Promise<void> {
  const { client, targetOrganisationId } = deployer;
  const addressed = { targetOrganisationId, environmentId: server.environmentId };
  const lock = (password: string) =>
    client.call('environments.password', { body: { ...addressed, enabled: true, password } });
  await lock('open sesame');
  const shut = await visit(server.url, '/', { accept: 'text/html' });
  expect(shut.status).toBe(401);
  expect(shut.body).toContain('<form');
  expect((await unlock(server.url, 'wrong')).status).toBe(401);
  const { status, cookie } = await unlock(server.url, 'open sesame');
  expect(status).toBe(303);
  expect((await visit(server.url, '/', { cookie })).body).toBe('two');
  await lock('another one');
  expect((await visit(server.url, '/', { cookie })).status).toBe(401);
  await client.call('environments.password', { body: { ...addressed, enabled: false } });
  expect((await visit(server.url)).body).toBe('two');
}

async function unlock(url: string, password: string): Promise<{ status: number; cookie: string }> {
  const { host, port } = new URL(url);
  const headers = { host, 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
  const posted = request({ host: '127.0.0.1', port, path: '/.lilac/unlock', method: 'POST', headers });
  posted.end(new URLSearchParams({ password, next: '/' }).toString());
  const [answer] = (await once(posted, 'response')) as [IncomingMessage];
  answer.resume();
  return { status: answer.statusCode!, cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '' };
}
