import { expect, it } from 'vitest';
import { judgeServices } from './database-services.ts';

it('databases that cannot be services are told of with the reason', () => {
  expect(judgeServices(null)).toMatchObject({ status: 'ok' });
  expect(judgeServices('the engine has another network')).toMatchObject({
    status: 'warn',
    found: expect.stringContaining('the engine has another network') as string,
  });
});
