import { expect, it } from 'vitest';
import { HIDDEN_MS, PageReader } from './page-reader.ts';

function startPage() {
  let isHidden = false;
  const listeners: (() => void)[] = [];
  const due = new Map<() => void, number>();
  const reader = new PageReader({
    isHidden: () => isHidden,
    onChange: (listener) => listeners.push(listener),
    schedule: (work, delayMs) => {
      due.set(work, delayMs);
      return () => due.delete(work);
    },
  });
  const show = (is: boolean) => {
    isHidden = !is;
    for (const listener of listeners) listener();
  };
  return { reader, due, show, passTime: () => due.forEach((_delayMs, work) => work()) };
}

const isPresent = async (reader: PageReader, signal?: AbortSignal) =>
  Promise.race([reader.present(signal).then(() => true), new Promise((resolve) => setImmediate(resolve, false))]);

it('a page that is seen is read, and so is one that is hidden for a moment', async () => {
  const { reader, due, show } = startPage();
  expect(await isPresent(reader)).toBe(true);
  const leaving = reader.leaving();
  show(false);
  expect([...due.values()]).toEqual([HIDDEN_MS]);
  expect(await isPresent(reader)).toBe(true);
  show(true);
  expect([due.size, leaving.aborted]).toEqual([0, false]);
});

it('one that stays hidden is left, and read again by everybody who waits once it is seen', async () => {
  const { reader, show, passTime } = startPage();
  const leaving = reader.leaving();
  show(false);
  passTime();
  expect([leaving.aborted, await isPresent(reader)]).toEqual([true, false]);
  const waiting = [reader.present(undefined), reader.present(undefined)];
  show(true);
  await Promise.all(waiting);
  expect([reader.leaving().aborted, await isPresent(reader)]).toEqual([false, true]);
  show(false);
  passTime();
  expect(reader.leaving().aborted).toBe(true);
});

it('nobody waits who has given up', async () => {
  const { reader, show, passTime } = startPage();
  show(false);
  passTime();
  const givingUp = new AbortController();
  const waiting = reader.present(givingUp.signal);
  givingUp.abort();
  await waiting;
  expect(await isPresent(reader, givingUp.signal)).toBe(true);
});
