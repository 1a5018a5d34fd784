import { expect, it } from 'vitest';
import type { InstanceRecord } from '../held/instance-record.ts';
import { clearAwayLater } from './clear-away-later.ts';

it('what was begun with an engine that hangs is taken away when it answers again, and that it stays is told once', async () => {
  let tries = 0;
  const told: string[] = [];
  const care = {
    async clearAway() {
      tries += 1;
      if (tries < 4) throw new Error('the engine of Docker has not answered for 60 s');
    },
  };
  const log = { error: (_about: unknown, message: string) => void told.push(message) };
  const begun = { record: { id: 'ins_1' } as InstanceRecord, folder: '/nowhere' };
  await clearAwayLater(begun, { care, log: log as never, againMs: 1 });
  expect(tries).toBe(4);
  expect(told).toEqual(['what was begun stays for now']);
});
