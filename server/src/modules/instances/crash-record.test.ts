import { describe, expect, it } from 'vitest';
import { describeFailure, isCrashLoop, NO_CRASHES, noteFailure, takeBackHung, type Failure } from './crash-record.ts';

const timing = { stableMs: 60_000, firstBackoffMs: 1000, longestBackoffMs: 60_000 };
const early: Failure = { kind: 'exit', exit: { exitCode: 1, isOutOfMemory: false }, livedMs: 2000 };
const outOfMemory = (livedMs: number): Failure => ({
  kind: 'exit',
  exit: { exitCode: null, isOutOfMemory: true },
  livedMs,
});
const lost: Failure = {
  kind: 'exit',
  exit: { exitCode: null, isOutOfMemory: false, isMachineLost: true },
  livedMs: 2000,
};
const hung = (livedMs: number): Failure => ({ kind: 'hung', message: 'They hang.', livedMs });
const note = (record: typeof NO_CRASHES, failure: Failure, nowMs = 0) =>
  noteFailure(record, failure, { nowMs, memoryMb: 512, timing });

describe('instances that end soon after their start', () => {
  it('are started again later and later, but every minute', () => {
    const waits: number[] = [];
    for (let record = NO_CRASHES, n = 0; n < 8; n++) {
      record = note(record, early, 1_000_000);
      waits.push(record.notBeforeMs - 1_000_000);
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('are trouble from the third in a row', () => {
    const second = note(note(NO_CRASHES, early), early);
    expect([second.trouble, isCrashLoop(second)]).toEqual([null, false]);
    const third = note(second, early);
    expect(third.trouble).toBe(
      'Instances keep ending with exit code 1 soon after their start. See the log of the deployment.',
    );
    expect(isCrashLoop(third)).toBe(true);
  });

  it('for want of memory are trouble at once, and named', () => {
    expect(note(NO_CRASHES, outOfMemory(1000)).trouble).toContain(
      'ran out of memory (limit 512Mi) soon after their start',
    );
  });
});

it('one that hangs soon after its start counts like one that ends; one that worked for long does not', () => {
  expect(note(NO_CRASHES, hung(2000), 5000)).toEqual({ count: 1, notBeforeMs: 6000, trouble: null });
  expect(note(note(note(NO_CRASHES, early), early), hung(2000)).trouble).toBe('They hang.');
  expect(note(NO_CRASHES, hung(60_000), 5000)).toEqual(NO_CRASHES);
});

describe('an instance that ends after a long life', () => {
  it('is replaced at once, and is no crash', () => {
    const late: Failure = { kind: 'exit', exit: { exitCode: 0, isOutOfMemory: false }, livedMs: 60_000 };
    expect(note(NO_CRASHES, late, 5000)).toEqual(NO_CRASHES);
  });

  it('for want of memory is trouble all the same', () => {
    const { count, trouble } = note(NO_CRASHES, outOfMemory(3_600_000));
    expect([count, trouble]).toEqual([
      0,
      'Instances ran out of memory (limit 512Mi). Give them more memory, or let them use less.',
    ]);
  });
});

describe('an instance that is lost with its machine', () => {
  it('is no crash, however short its life was, and takes nothing back that others did', () => {
    expect(note(NO_CRASHES, lost)).toBe(NO_CRASHES);
    const crashed = note(note(note(NO_CRASHES, early), early), early);
    expect(note(crashed, lost)).toBe(crashed);
  });

  it('is none either when it was counted first as one that does not answer', () => {
    expect(takeBackHung(note(NO_CRASHES, hung(2000), 5000), 'They hang.')).toEqual(NO_CRASHES);
    const loop = note(note(note(NO_CRASHES, hung(2000)), hung(2000)), hung(2000), 5000);
    expect(loop.trouble).toBe('They hang.');
    expect(takeBackHung(loop, 'They hang.')).toEqual({ ...loop, count: 2, trouble: null });
    const without = note(note(NO_CRASHES, outOfMemory(1000)), hung(2000));
    expect(takeBackHung(without, 'They hang.').trouble).toContain('ran out of memory');
  });
});

it('what the log says of it names the instance, the end and its age', () => {
  expect(describeFailure('ins_1', early, 512)).toBe('Instance ins_1 ended with exit code 1 after 2 s.');
  expect(describeFailure('ins_1', outOfMemory(61_000), 2048)).toBe(
    'Instance ins_1 ran out of memory (limit 2Gi) after 61 s.',
  );
  expect(describeFailure('ins_1', { kind: 'unreachable', message: 'It did not listen.' }, 512)).toBe(
    'Instance ins_1: It did not listen.',
  );
  expect(describeFailure('ins_1', lost, 512)).toBe(
    'Instance ins_1 was lost with its machine. Another one takes its place.',
  );
});
