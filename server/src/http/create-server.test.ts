import { describe, expect, it } from 'vitest';
import { createOwner } from '../testing/factories.ts';
import { startApi } from '../testing/harness.ts';

describe('the server', () => {
  it('answers 404 NF002 at a path that is not there', async () => {
    await using api = await startApi();
    await createOwner(api);
    const answer = await api.call('/api/nothing', { body: '{' });
    expect(answer).toMatchObject({ status: 404, body: { code: 'NF002' } });
    expect(answer.headers['x-request-id']).toMatch(/^req_/);
  });
});
