import { connect, type AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { silentLog } from '../lib/log.ts';
import { createTestStore } from '../testing/test-store.ts';
import { HostUnavailable } from '../vcs/vcs-host.ts';
import { answerError } from './error-answer.ts';

const request = { endpoint: 'projects.create', requestId: 'req_1' };

it('404 when the organisation was deleted between admission and the write', async () => {
  await using store = await createTestStore();
  const orphan = { id: 'fld_1', organisation_id: 'org_gone', name: 'a' };
  const error: unknown = await store.db
    .insertInto('projects')
    .values(orphan)
    .execute()
    .catch((thrown: unknown) => thrown);
  expect(answerError(error, request, { log: silentLog })).toMatchObject({ status: 404, body: { code: 'NF001' } });
});

it('500 with an id and no detail for what nobody foresaw', () => {
  const { status, body } = answerError(new Error('the detail'), request, { log: silentLog });
  expect(status).toBe(500);
  expect(body).toEqual({ message: expect.not.stringContaining('detail'), code: 'SV001', errorId: expect.any(String) });
});

it('503 with its own words and patience for a repository host that does not answer', () => {
  const error = new HostUnavailable('The host does not answer.', { retryAfterSeconds: 6.2, cause: new Error('inner') });
  expect(answerError(error, request, { log: silentLog })).toEqual({
    status: 503,
    headers: { 'retry-after': '7' },
    body: { message: 'The host does not answer.', code: 'SV002' },
  });
});

it('400 for a body whose sender has gone, which is no failure of the platform', async () => {
  await using app = fastify();
  const thrown = new Promise<unknown>((resolve) => app.setErrorHandler((error) => resolve(error)));
  app.post('/', () => 'never');
  await app.listen({ port: 0, host: '127.0.0.1' });
  const reading = new Promise((resolve) => app.server.once('request', resolve));
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"half');
  await reading;
  socket.destroy();
  expect(answerError(await thrown, request, { log: silentLog })).toMatchObject({
    status: 400,
    body: { code: 'VA001' },
  });
});
