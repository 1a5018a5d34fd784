import { beforeEach, expect, it, vi } from 'vitest';
import { guardLeaving, isLostByLeaving, unsavedByNow } from '../lib/leaving.ts';
import { type LeadOn, whileHere } from './lead-on.ts';

const { navigate, chosen } = vi.hoisted(() => ({
  navigate: vi.fn<(to: string) => void>(),
  chosen: { id: 'analytical' },
}));
vi.mock('../lib/router.tsx', () => ({ navigate }));
vi.mock('./organisation-choice.ts', () => ({ chosenOrganisationId: () => chosen.id }));
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('removeEventListener', () => {});
const address = { pathname: '/apps/one/settings', search: '' };
vi.stubGlobal('location', address);
let dialogs: object[] = [];
vi.stubGlobal('document', { querySelectorAll: () => dialogs });

const guard = () => guardLeaving({ what: () => 'It is lost.', ask: () => {}, isWithin: () => false });
const lead = (leadOn: LeadOn) => leadOn('/deployments/new', { said: 'It is done.', shows: true });

beforeEach(() => {
  unsavedByNow().forget();
  navigate.mockClear();
  Object.assign(address, { pathname: '/apps/one/settings', search: '' });
  chosen.id = 'analytical';
  dialogs = [];
});

it('who is still where they started it is led on, wherever on the page they look', () => {
  const leadOn = whileHere();
  address.search = '?range=7d';
  expect(lead(leadOn)).toBe(true);
  expect(navigate.mock.calls).toEqual([['/deployments/new']]);
});

it.each([
  ['on another page', () => (address.pathname = '/members')],
  ['in another organisation', () => (chosen.id = 'difference')],
  ['typing', () => void guard()],
  ['in a dialog', () => void (dialogs = [{}])],
])('who is %s by then stays there, and loses nothing', (_where, goOn) => {
  const leadOn = whileHere({ endsPage: true });
  goOn();
  const wouldLose = isLostByLeaving();
  expect([lead(leadOn), navigate.mock.calls.length]).toEqual([false, 0]);
  expect(isLostByLeaving()).toBe(wouldLose);
});

it('who is in the dialog where they started it is led on, and so is who has closed it', () => {
  dialogs = [{}];
  expect(lead(whileHere())).toBe(true);
  const leadOn = whileHere();
  dialogs = [];
  expect(lead(leadOn)).toBe(true);
});

it('what was unsaved before goes with what is sent or deleted, and is not lost by anything else', () => {
  guard();
  expect([lead(whileHere()), isLostByLeaving(), navigate.mock.calls.length]).toEqual([false, true, 0]);
  expect([lead(whileHere({ endsPage: true })), isLostByLeaving(), navigate.mock.calls.length]).toEqual([
    true,
    false,
    1,
  ]);
});
