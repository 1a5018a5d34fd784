import { beforeEach, expect, it, vi } from 'vitest';
import { startAnew } from './start-anew.ts';

const asking = new Set<unknown>();
const went: string[] = [];
vi.stubGlobal('location', {
  href: '/account',
  reload: () => went.push('again'),
  replace: (to: string) => went.push(to),
});
vi.stubGlobal('addEventListener', (name: string, listener: unknown) => name === 'beforeunload' && asking.add(listener));
vi.stubGlobal('removeEventListener', (_name: string, listener: unknown) => asking.delete(listener));
beforeEach(() => void went.splice(0));

it('leads elsewhere or to the same address', () => {
  startAnew('/sign-in');
  startAnew();
  expect(went).toEqual(['/sign-in', 'again']);
});

it('has nobody asked whether they want to leave, whatever is unsaved, under way or becomes so until then', async () => {
  // As in a document that nobody has left yet.
  vi.resetModules();
  const leaving = await import('../lib/leaving.ts');
  const anew = await import('./start-anew.ts');
  const guard = () => leaving.guardLeaving({ what: () => 'The name.', ask: () => {}, isWithin: () => false });
  guard();
  leaving.guardClosing('under way');
  expect(asking.size).toBe(1);
  anew.startAnew('/sign-in');
  expect(asking.size).toBe(0);
  guard();
  leaving.guardClosing('typed');
  expect(asking.size).toBe(0);
});
