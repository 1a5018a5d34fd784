import { describe, expect, it } from 'vitest';
import { refuseStrayDrops } from './stray-drops.ts';

function drag(around: EventTarget, name: string, types: string[], isTaken = false) {
  const dataTransfer = { types, dropEffect: 'copy' };
  const event = Object.assign(new Event(name, { cancelable: true }), { dataTransfer });
  if (isTaken) event.preventDefault();
  around.dispatchEvent(event);
  return { isOpened: !event.defaultPrevented, effect: dataTransfer.dropEffect };
}

describe('a file that is dropped beside the place for files', () => {
  it.each(['dragover', 'drop'])('is not opened by the browser (%s)', (name) => {
    const around = new EventTarget();
    const release = refuseStrayDrops(around);
    expect(drag(around, name, ['Files'])).toEqual({ isOpened: false, effect: 'none' });
    release();
    expect(drag(around, name, ['Files'])).toEqual({ isOpened: true, effect: 'copy' });
  });

  it('is another matter than one that the place has taken, and than text', () => {
    const around = new EventTarget();
    refuseStrayDrops(around);
    expect(drag(around, 'dragover', ['Files'], true).effect).toBe('copy');
    expect(drag(around, 'drop', ['text/plain'])).toEqual({ isOpened: true, effect: 'copy' });
  });
});
