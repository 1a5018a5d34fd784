import { describe, expect, it } from 'vitest';
import { decide, type Action, type Situation } from './decide.ts';

const up = { isMade: true, isRunning: true, failures: 0, mayStart: true };
const primary = { ...up, isHung: false, isAtWall: false };
const standby = { ...up, isInStep: true };
const alone: Situation = {
  status: 'healthy',
  isHa: false,
  primary,
  standby: null,
  pairing: { failures: 0, mayTry: true },
};
const paired: Situation = { ...alone, isHa: true, standby };
const down = { ...primary, isRunning: false };
const standbyDown = { ...standby, isRunning: false };

const cases: [string, Situation, Action][] = [
  ['all is well', alone, 'nothing'],
  ['both are well', paired, 'nothing'],
  ['it is down', { ...alone, primary: down }, 'start the primary'],
  ['it is down and must wait', { ...alone, primary: { ...down, mayStart: false } }, 'nothing'],
  [
    'it is down, though it has failed often',
    { ...alone, status: 'failed', primary: { ...down, failures: 40 } },
    'start the primary',
  ],
  [
    'it is down while it is changed by nobody at the moment',
    { ...alone, status: 'updating', primary: down },
    'start the primary',
  ],
  ['it is being set up', { ...alone, status: 'provisioning', primary: down }, 'nothing'],
  ['it could not be set up', { ...alone, status: 'failed', primary: { ...down, isMade: false } }, 'nothing'],
  ['it is being deleted', { ...paired, status: 'deleting', primary: down, standby: standbyDown }, 'nothing'],
  ['it hangs', { ...alone, primary: { ...primary, isHung: true } }, 'end the primary'],
  ['it hangs and has a standby', { ...paired, primary: { ...primary, isHung: true } }, 'end the primary'],

  ['the primary is down and the standby in step', { ...paired, primary: down }, 'fail over'],
  [
    'the standby cannot take over',
    { ...paired, primary: down, standby: { ...standby, failures: 3 } },
    'start the primary',
  ],
  ['the same while it is changed', { ...paired, status: 'updating', primary: down }, 'fail over'],
  ['the same when it must wait', { ...paired, primary: { ...down, mayStart: false } }, 'fail over'],
  [
    'the primary is down and the standby not in step',
    { ...paired, primary: down, standby: { ...standby, isInStep: false } },
    'start the primary',
  ],
  [
    'the primary is down and the standby half-made',
    { ...paired, primary: down, standby: { ...standby, isMade: false } },
    'start the primary',
  ],
  [
    'the primary has run into the end of its storage',
    { ...paired, primary: { ...down, isAtWall: true } },
    'start the primary',
  ],
  ['both are down', { ...paired, primary: down, standby: standbyDown }, 'start the primary'],
  [
    'both are down and the primary does not start',
    { ...paired, primary: { ...down, failures: 3 }, standby: standbyDown },
    'start the standby',
  ],
  [
    'both are down and neither starts',
    { ...paired, primary: { ...down, failures: 3 }, standby: { ...standbyDown, mayStart: false } },
    'start the primary',
  ],
  [
    'both are down, the standby not in step',
    { ...paired, primary: { ...down, failures: 9 }, standby: { ...standbyDown, isInStep: false } },
    'start the primary',
  ],

  ['the standby is down', { ...paired, standby: { ...standbyDown, isInStep: false } }, 'start the standby'],
  [
    'the standby is down and must wait',
    { ...paired, standby: { ...standbyDown, isInStep: false, mayStart: false } },
    'nothing',
  ],
  [
    'the standby is down again and again',
    { ...paired, standby: { ...standbyDown, isInStep: false, failures: 3 } },
    'make the standby anew',
  ],
  ['the standby is not in step', { ...paired, standby: { ...standby, isInStep: false } }, 'bring into step'],
  [
    'the standby does not get into step',
    { ...paired, standby: { ...standby, isInStep: false }, pairing: { failures: 3, mayTry: true } },
    'make the standby anew',
  ],
  [
    'the standby must wait',
    { ...paired, standby: { ...standby, isInStep: false }, pairing: { failures: 1, mayTry: false } },
    'nothing',
  ],
  ['there is no standby', { ...paired, standby: null }, 'make a standby'],
  ['there is half of one', { ...paired, standby: { ...standby, isMade: false, isInStep: false } }, 'make a standby'],
  ['there is none while it is changed', { ...paired, status: 'updating', standby: null }, 'nothing'],
  ['one is down while it is changed', { ...paired, status: 'updating', standby: standbyDown }, 'start the standby'],
  ['there is one too many', { ...paired, isHa: false }, 'remove the standby'],
  ['there is one too many while it is changed', { ...paired, status: 'updating', isHa: false }, 'nothing'],
];

describe('what is done about a database', () => {
  it.each(cases)('when %s', (_when, situation, action) => {
    expect(decide(situation)).toBe(action);
  });
});
