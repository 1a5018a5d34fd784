import { beforeEach, expect, it, vi } from 'vitest';
import {
  askBeforeLosing,
  askBeforeClosing,
  endedBySigningOut,
  guardClosing,
  guardHistory,
  guardLeaving,
  hasUnsaved,
  holdQuestions,
  isLostByLeaving,
  leave,
  unsavedByNow,
} from './leaving.ts';

const listeners = new Set<unknown>();
vi.stubGlobal('location', { href: 'https://lilac.example.org/apps/one/settings' });
vi.stubGlobal('addEventListener', (_name: string, listener: unknown) => listeners.add(listener));
vi.stubGlobal('removeEventListener', (_name: string, listener: unknown) => listeners.delete(listener));
beforeEach(() => unsavedByNow().forget());

/** Keeps what was asked, to be answered by the test. */
function guard(what: string, around?: HTMLDialogElement) {
  const asked: { go: () => void; lost: readonly string[] }[] = [];
  const ask = (go: () => void, lost: readonly string[]) => asked.push({ go, lost });
  const release = guardLeaving({ what: () => what, ask, isWithin: (dialog) => dialog === around });
  return { asked, release };
}

it('who has nothing to lose goes at once', () => {
  const go = vi.fn<() => void>();
  leave(go);
  expect([go.mock.calls.length, listeners.size]).toEqual([1, 0]);
});

it('who has is asked once, for everything that would be lost, and goes when they say so', () => {
  const [name, scaling] = [guard('The name.'), guard('The scaling.')];
  const go = vi.fn<() => void>();
  leave(go);
  expect(name.asked).toEqual([]);
  expect(scaling.asked.map(({ lost }) => lost)).toEqual([['The name.', 'The scaling.']]);
  expect(go).not.toHaveBeenCalled();
  scaling.asked[0]!.go();
  expect([go.mock.calls.length, listeners.size]).toEqual([1, 0]);
});

it('a way out that fails takes nothing away: who tries it again is asked again', () => {
  const { asked } = guard('The name.');
  const fail = vi.fn<() => void>();
  askBeforeLosing(fail);
  expect([asked.map(({ lost }) => lost), fail.mock.calls.length]).toEqual([[['The name.']], 0]);
  asked[0]!.go();
  expect([fail.mock.calls.length, listeners.size], 'still guarded').toEqual([1, 1]);
  askBeforeLosing(fail);
  expect([asked.length, fail.mock.calls.length]).toEqual([2, 1]);
});

it('what closes over a page asks of itself alone, and leaves what is beneath guarded', () => {
  const close = vi.fn<() => void>(() => upload.release());
  const dialog = { close } as Partial<HTMLDialogElement> as HTMLDialogElement;
  const name = guard('The name.');
  expect(askBeforeClosing(dialog), 'nothing is in it yet').toBe(false);
  const upload = guard('The upload.', dialog);
  const besides = guard('What was noted since, beneath.');
  expect([askBeforeClosing(dialog), close.mock.calls.length]).toEqual([true, 0]);
  expect(upload.asked.map(({ lost }) => lost)).toEqual([['The upload.']]);
  upload.asked[0]!.go();
  expect([close.mock.calls.length, name.asked, besides.asked, isLostByLeaving()]).toEqual([1, [], [], true]);
  expect(askBeforeClosing(dialog)).toBe(false);
});

it('what was saved first leaves the rest guarded', () => {
  const [name, scaling] = [guard('The name.'), guard('The scaling.')];
  scaling.release();
  const go = vi.fn<() => void>();
  leave(go);
  expect(name.asked.map(({ lost }) => lost)).toEqual([['The name.']]);
  expect([go.mock.calls.length, listeners.size]).toEqual([0, 1]);
  name.release();
  leave(go);
  expect([go.mock.calls.length, listeners.size]).toEqual([1, 0]);
});

it('what was deleted is nothing to be asked about', () => {
  const { asked } = guard('The name.');
  unsavedByNow().forget();
  const go = vi.fn<() => void>();
  leave(go);
  expect([asked, go.mock.calls.length, listeners.size]).toEqual([[], 1, 0]);
});

it('what was sent is told from what has become unsaved since, which stays guarded', () => {
  const name = guard('The name.');
  const sent = unsavedByNow();
  expect(sent.isAll()).toBe(true);
  const scaling = guard('The scaling.');
  expect(sent.isAll()).toBe(false);
  sent.forget();
  leave(() => {});
  expect([name.asked.length, scaling.asked.map(({ lost }) => lost)]).toEqual([0, [['The scaling.']]]);
  scaling.release();
  expect(sent.isAll(), 'taken back').toBe(true);
});

it('several that are sent at once are named in one sentence', () => {
  const [, latest] = [guard('It is sent.'), guard('It is sent.')];
  leave(() => {});
  expect(latest.asked.map(({ lost }) => lost)).toEqual([['It is sent.']]);
});

it('what goes on from page to page keeps nobody on one, and has the browser ask whoever closes it', () => {
  const release = guardClosing('under way');
  const { release: save } = guard('The name.');
  save();
  unsavedByNow().forget();
  const go = vi.fn<() => void>();
  leave(go);
  expect([go.mock.calls.length, listeners.size, endedBySigningOut()]).toEqual([1, 1, 'under way']);
  expect(hasUnsaved(), 'it is nobody’s writing').toBe(false);
  release();
  expect([listeners.size, endedBySigningOut()]).toEqual([0, null]);
});

it('what was typed and is found again keeps nobody on its page, and is not lost by closing or signing out unasked', () => {
  const release = guardClosing('typed');
  unsavedByNow().forget();
  const go = vi.fn<() => void>();
  leave(go);
  expect([go.mock.calls.length, listeners.size, hasUnsaved(), endedBySigningOut()]).toEqual([1, 1, true, 'typed']);
  expect(isLostByLeaving()).toBe(false);
  const finish = guardClosing('under way');
  expect(endedBySigningOut(), 'the graver of both').toBe('under way');
  finish();
  release();
  expect([listeners.size, hasUnsaved(), endedBySigningOut()]).toEqual([0, false, null]);
});

it('the browser’s own way back is asked about; beneath a sign-in nobody can be asked, and nobody goes', () => {
  const went: string[] = [];
  vi.stubGlobal('history', { pushState: (_: unknown, _title: string, to: string) => went.push(to), back() {} });
  guardHistory();
  const goBack = [...listeners].at(-1) as (event: Pick<Event, 'stopImmediatePropagation'>) => void;
  const { asked } = guard('The name.');
  const stopImmediatePropagation = vi.fn<() => void>();
  const release = holdQuestions();
  const here = location.href;
  location.href = 'https://lilac.example.org/apps/one';
  goBack({ stopImmediatePropagation });
  expect([asked.length, went, hasUnsaved()]).toEqual([0, [here], true]);
  release();
  goBack({ stopImmediatePropagation });
  expect([asked.length, went.length, stopImmediatePropagation.mock.calls.length]).toEqual([1, 2, 2]);
  location.href = here;
  listeners.delete(goBack);
});

it('a way to another place on the page is none away from it: nobody is asked, and what is unsaved stays guarded', () => {
  const pushState = vi.fn<() => void>();
  vi.stubGlobal('history', { pushState });
  guardHistory();
  const goThere = [...listeners].at(-1) as (event: Pick<Event, 'stopImmediatePropagation'>) => void;
  const { asked } = guard('The name.');
  const stopImmediatePropagation = vi.fn<() => void>();
  const here = location.href;
  for (const place of ['#content', '', '#content']) {
    location.href = here + place;
    goThere({ stopImmediatePropagation });
  }
  expect([asked.length, pushState.mock.calls.length, stopImmediatePropagation.mock.calls.length]).toEqual([0, 0, 0]);
  expect([hasUnsaved(), isLostByLeaving()]).toEqual([true, true]);
  location.href = here;
  listeners.delete(goThere);
});
