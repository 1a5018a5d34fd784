import { expect, it } from 'vitest';
import { sizeChanges } from './size-changes.ts';

const shown = { memory: '512Mi', cpu: '1' };

it('other memory takes the processor along as it is shown, whatever a colleague chose meanwhile', () => {
  expect(sizeChanges(shown, { memory: '1Gi', cpu: '1' })).toEqual({ memory: '1Gi', cpu: '1' });
  expect(sizeChanges(shown, { memory: null, cpu: null })).toEqual({ memory: null, cpu: null });
});

it('another processor alone leaves the memory to whoever changed it', () => {
  expect(sizeChanges(shown, { memory: '512Mi', cpu: '2' })).toEqual({ cpu: '2' });
});

it('nothing is sent where nothing was changed', () => {
  expect(sizeChanges(shown, { ...shown })).toEqual({});
});
