import { describe, expect, it } from 'vitest';
import { lilac } from '../testing/lilac.ts';
import { startPlatformDouble } from '../testing/start-platform-double.ts';

const made = { id: 'db_1', name: 'Shop', database_type: 'postgresql', tier: 'db-f1-micro', status: 'provisioning' };
const progress = (step: string, percent: number, status = 'provisioning') => ({ status, step, percent });
const event = (id: number, name: string, data: object) =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

async function startTelling(...events: string[]) {
  const platform = await startPlatformDouble({
    '/api/databases/create': { status: 201, body: made },
    '/api/databases/-/db_1/stream': { headers: { 'content-type': 'text/event-stream' }, body: events.join('') },
  });
  const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' };
  return { platform, environment, [Symbol.dispose]: () => platform[Symbol.dispose]() };
}

describe('lilac db create', () => {
  it('tells each step once, and ends when it can be used', async () => {
    using telling = await startTelling(
      event(1, 'status', progress('preparing files', 10)),
      event(2, 'status', progress('preparing files', 20)),
      event(3, 'status', progress('checking', 90)),
      event(4, 'done', progress('settled', 100, 'healthy')),
    );
    const { exitCode, out, err } = await lilac('db create Shop --json', telling.environment);
    expect(err).toMatch(/^Preparing files\nChecking\n✓ Ready after <?[\d.]+ s\n$/);
    expect({ exitCode, answer: JSON.parse(out) }).toEqual({ exitCode: 0, answer: { ...made, status: 'healthy' } });
  });

  it('1 and the reason where it fails, and how to remove it', async () => {
    using telling = await startTelling(
      event(1, 'error', { ...progress('checking', 90, 'failed'), message: 'No room.' }),
    );
    const { exitCode, err } = await lilac('db create Shop', telling.environment);
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: 'lilac: No room.\nTo remove it: lilac db delete db_1\n' });
  });

  it('does not wait with --no-wait', async () => {
    using telling = await startTelling();
    const { exitCode, out } = await lilac('db create Shop --no-wait', telling.environment);
    expect({ exitCode, out }).toMatchObject({ exitCode: 0, out: expect.stringContaining('lilac db status db_1') });
    expect(telling.platform.received.map(({ path }) => path)).toEqual(['/api/databases/create']);
  });
});
