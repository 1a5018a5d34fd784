import { describe, expect, it } from 'vitest';
import { saveChallenge } from '../certificates/acme/challenge-store.ts';
import { startApi } from '../testing/harness.ts';

const token = 'LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0';
const at = (name: string) => `/.well-known/acme-challenge/${name}`;

describe('what certificate authorities ask for', () => {
  it('is answered as plain text, whoever asks and by whichever name; and nothing else', async () => {
    await using api = await startApi();
    const expiresAt = new Date(Date.now() + 60_000);
    await saveChallenge(api.store.db, { token, answer: `${token}.thumbprint`, expiresAt });
    const answer = await api.call(at(token), { method: 'GET', headers: { host: 'www.example.org' } });
    expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([
      200,
      'text/plain; charset=utf-8',
      `${token}.thumbprint`,
    ]);
    for (const other of ['x'.repeat(43), 'short', '..%2f..%2fetc%2fpasswd', '%00'.repeat(20)]) {
      const refused = await api.call(at(other), { method: 'GET' });
      expect([other, refused.status, refused.body.code]).toEqual([other, 404, 'NF002']);
    }
  });

  it('is not held against the address it comes from; what was made up is', async () => {
    await using api = await startApi({ config: { rateLimit: 3 } });
    const expiresAt = new Date(Date.now() + 60_000);
    await saveChallenge(api.store.db, { token, answer: 'a', expiresAt });
    const statuses = async (name: string, times: number) => {
      const answers: number[] = [];
      for (let time = 0; time < times; time++) answers.push((await api.call(at(name), { method: 'GET' })).status);
      return answers;
    };
    expect(await statuses(token, 5)).toEqual([200, 200, 200, 200, 200]);
    expect(await statuses('x'.repeat(43), 4)).toEqual([404, 404, 404, 429]);
    // And the authority still comes through.
    expect(await statuses(token, 1)).toEqual([200]);
  });
});
