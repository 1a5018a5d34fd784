import { expect, it } from 'vitest';
import { findPort } from './find-port.ts';

const open = (port: number) => ({ port, isLocal: false });
const local = (port: number) => ({ port, isLocal: true });

it.each([
  ['PORT where it listens there, whatever else it has', [open(9229), open(8080)], { kind: 'found', port: 8080 }],
  ['the only port that others reach', [local(9229), open(3000)], { kind: 'found', port: 3000 }],
  ['one port, though it listens there twice', [open(3000), open(3000)], { kind: 'found', port: 3000 }],
  ['nothing where it does not listen', [], { kind: 'nothing' }],
])('%s', (_what, listeners, finding) => {
  expect(findPort(listeners, 8080)).toEqual(finding);
});

it('tells who listens for itself only, or on several other ports, what to do', () => {
  expect(findPort([local(8080)], 8080)).toMatchObject({ message: expect.stringContaining('listen on 0.0.0.0') });
  expect(findPort([open(5000), open(3000)], 8080)).toMatchObject({ message: expect.stringContaining('3000, 5000') });
});
