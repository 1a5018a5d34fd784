import { describe, expect, it } from 'vitest';
import { describeCourse } from './describe-course.ts';
import { ROWS } from './disk.ts';
import { BARE, judgeFlatness } from './flatness.ts';
import { fitLine } from './straight-line.ts';

/** Two hours, looked at twice a minute. */
const course = (name: string, valueAt: (minute: number) => number) =>
  judgeFlatness(Array.from({ length: 240 }, (_, at) => ({ minute: at / 2, figures: { [name]: valueAt(at / 2) } })))[0]!;

/** Rises, and falls back when it is collected. */
const collected = (minute: number, everyMinutes: number, most: number) =>
  ((minute % everyMinutes) / everyMinutes) * most;

/** Looks like chance, and is the same every time. */
const noise = (minute: number, most: number) => (((Math.sin(minute * 12.9898) * 43_758.5453) % 1) + 1) * (most / 2);

/** Four megabytes an hour. */
const leak = (minute: number) => 46 + (minute / 60) * 4;

/** One and a half, of what is held when all else is collected. */
const smallLeak = (minute: number) => 30 + (minute / 60) * 1.5 + noise(minute, 0.4);

/** One that was dropped is still there for a moment. */
const going = (minute: number) => (minute % 4 === 0 ? 60 : 0);

/** Looked at once in five minutes only. */
const rare = (valueAt: (minute: number) => number) =>
  judgeFlatness(
    Array.from({ length: 240 }, (_, at) => ({
      minute: at / 2,
      figures: { load: 1, ...(at % 10 === 0 && { 'kept memory of api': valueAt(at / 2) }) },
    })),
  ).find(({ name }) => name === 'kept memory of api');

const busyFirst = (minute: number) => (minute < 60 ? 5 : 1);
const busyLast = (minute: number) => (minute < 90 ? 1 : 5);
const twiceAsSlow = (minute: number) => (minute < 60 ? 12 : 24);

/** A wait, and what the same visitor waits at a server that does nothing: as long as the machine is busy. */
const waiting = (busyAt: (minute: number) => number, waitAt: (minute: number) => number) =>
  judgeFlatness(
    Array.from({ length: 240 }, (_, at) => ({
      minute: at / 2,
      figures: { 'wait of api': waitAt(at / 2) * busyAt(at / 2), [`wait of ${BARE}`]: busyAt(at / 2) },
    })),
  );

describe('whether a figure is flat', () => {
  it('is so where it rises only while caches fill', () => {
    expect(course('memory of api', (minute) => Math.min(minute, 30) * 3)).toMatchObject({ isFlat: true, late: 90 });
  });

  it('is not where it rises all the time', () => {
    expect(course('memory of api', (minute) => 80 + minute).isFlat).toBe(false);
    expect(course('own memory of api', (minute) => 80 + minute).isFlat).toBe(false);
    expect(course('files of edge', (minute) => 30 + minute).isFlat).toBe(false);
    expect(course('disk of logs', (minute) => 10 * minute).isFlat).toBe(false);
    expect(course('wait of site', (minute) => 1 + minute / 4).isFlat).toBe(false);
    expect(course('long wait of site', (minute) => 10 + 4 * minute).isFlat).toBe(false);
  });

  it('is told of a wait whatever else the machine does: a busy time hides nothing that got slower, and is none', () => {
    expect(waiting(busyFirst, twiceAsSlow)[0]).toMatchObject({ name: 'wait of api', isFlat: false });
    expect(waiting(busyLast, () => 12)[0]).toMatchObject({ isFlat: true });
    expect(waiting(busyLast, () => 12)[1]).toMatchObject({ name: `wait of ${BARE}`, isFlat: null });
    expect(waiting(busyFirst, (minute) => 20 + minute / 15)[0]).toMatchObject({ isFlat: false });
  });

  it('is not where a role burns ever more, though that slows a server that does nothing as much', () => {
    const burning = judgeFlatness(
      Array.from({ length: 240 }, (_, at) => {
        const burnt = 3 + at / 80;
        return {
          minute: at / 2,
          figures: {
            'wait of api': 12 * burnt,
            [`wait of ${BARE}`]: burnt,
            'processor time of api': burnt + noise(at, 0.3),
          },
        };
      }),
    );
    expect(burning.find(({ name }) => name === 'wait of api')).toMatchObject({ isFlat: true });
    expect(burning.find(({ name }) => name === 'processor time of api')).toMatchObject({ isFlat: false });
    expect(course('processor time of store', (minute) => 3 + noise(minute, 1)).isFlat).toBe(true);
    // Half a second a minute more in an hour, which is too little to be a quarter more.
    expect(course('processor time of edge', (minute) => 6 + (minute / 60) * 0.7 + noise(minute, 0.1)).isFlat).toBe(
      false,
    );
  });

  it('is not where it leaks four megabytes an hour, however much is collected in between', () => {
    expect(course('own memory of supervisor', leak)).toMatchObject({ isFlat: false });
    expect(course('own memory of supervisor', (minute) => leak(minute) + noise(minute, 2)).isFlat).toBe(false);
    expect(course('own memory of worker', (minute) => 60 + leak(minute) + collected(minute, 4, 30)).isFlat).toBe(false);
  });

  it('is not where a process holds on to one and a half megabytes more in an hour, or a connection of the store does', () => {
    expect(course('kept memory of api', smallLeak).isFlat).toBe(false);
    expect(course('largest process of store', smallLeak).isFlat).toBe(false);
  });

  it('is so where it goes up and down as memory is collected', () => {
    expect(course('own memory of worker', (minute) => 100 + collected(minute, 4, 30)).isFlat).toBe(true);
    expect(course('own memory of api', (minute) => 100 + noise(minute, 20)).isFlat).toBe(true);
    // What is collected so seldom that it rises for a whole hour is told from a leak by the next hour only.
    expect(course('own memory of edge', (minute) => 120 + collected(minute, 35, 9)).isFlat).toBe(true);
  });

  it('is judged by the samples that have it', () => {
    expect(rare(smallLeak)).toMatchObject({ isFlat: false });
    expect(rare(() => 30)).toMatchObject({ isFlat: true, early: 30, late: 30, perDay: 0 });
  });

  it('is so where a few moments were out of the ordinary', () => {
    expect(course('wait of site', (minute) => (minute % 10 === 0 ? 500 : 1)).isFlat).toBe(true);
  });

  it('is not where the longest waits double, though most are as they were', () => {
    expect(course('long wait of api', (minute) => (minute < 60 ? 100 : 300)).isFlat).toBe(false);
  });

  it('is not where nobody was answered, so that there is no figure', () => {
    expect(course('wait of site', (minute) => (minute < 60 ? 1 : Number.NaN)).isFlat).toBe(false);
  });

  it('has no bar for what people keep', () => {
    expect(course(`disk of ${ROWS}`, (minute) => minute * 100).isFlat).toBeNull();
  });

  it('is not where databases that are gone leave something behind, though one is just being removed now and then', () => {
    expect(course('disk of databases', (minute) => 1 + going(minute)).isFlat).toBe(true);
    // Nearly half a megabyte of each, of which there are seventeen in an hour.
    expect(course('disk of databases', (minute) => 1 + going(minute) + minute / 8).isFlat).toBe(false);
  });

  it('says how much it would be in a day', () => {
    expect(course('own memory of supervisor', leak).perDay).toBeCloseTo(96);
    expect(course('own memory of supervisor', () => 46).perDay).toBeCloseTo(0);
  });
});

it('a straight line is found through points that are off it', () => {
  const points = [0, 1, 2, 3].map((at) => ({ at, value: 5 + 2 * at + (at % 2 === 0 ? 1 : -1) * (at < 2 ? 1 : -1) }));
  expect(fitLine(points)).toEqual({ slope: 2, spread: 1 });
});

const words = (line: string) => line.split(/\s+/).join(' ');

it('a figure is told in one line, with what it would be in a day', () => {
  expect(words(describeCourse(course('own memory of supervisor', leak)))).toBe(
    'own memory of supervisor 49.0 -> 53.0 MB +96.0 MB a day GROWS',
  );
  expect(words(describeCourse(course('files of api', () => 29)))).toBe('files of api 29.0 -> 29.0 +0.0 a day flat');
  expect(words(describeCourse(course('load', () => 2)))).toBe('load 2.0 -> 2.0 +0.0 a day no bar');
});
