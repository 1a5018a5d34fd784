import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventParser } from './event-parser.ts';

const parse = (...pieces: string[]) => {
  const parser = new EventParser();
  return { events: pieces.flatMap((piece) => parser.push(piece)), parser };
};

describe('EventParser', () => {
  it('reads ids, names and data, and gives what has no name the usual one', () => {
    const { events } = parse('id: 1\nevent: log\ndata: a\n\ndata: b\n\n');
    expect(events).toEqual([
      { id: '1', event: 'log', data: 'a' },
      { id: '1', event: 'message', data: 'b' },
    ]);
  });

  it('joins several lines of data, and takes one space off each', () => {
    expect(parse('data:a\ndata:  b\ndata\ndata: c:d\n\n').events[0]?.data).toBe('a\n b\n\nc:d');
  });

  it('overlooks comments, unknown fields, and a byte order mark', () => {
    expect(parse('\uFEFFdata: a\n: ping\nnonsense: x\nwhatever\n\n').events).toEqual([
      { id: '', event: 'message', data: 'a' },
    ]);
  });

  it('knows how far it is without an event, and only by what came whole', () => {
    const { events, parser } = parse('id: 7\n\nid: 8\ndata: x\n');
    expect(events).toEqual([]);
    expect(parser.lastEventId).toBe('7');
    expect(parser.push('\n')).toEqual([{ id: '8', event: 'message', data: 'x' }]);
    expect(parser.lastEventId).toBe('8');
  });

  it('hears how long to wait, and no nonsense about it', () => {
    expect(parse('retry: 1500\n').parser.retryMs).toBe(1500);
    expect(parse('retry: 1500\nretry: soon\nretry: -1\n').parser.retryMs).toBe(1500);
    expect(parse('id: a\u0000b\n\n').parser.lastEventId).toBe('');
  });

  it('reads the same from any pieces and with any line ends', () => {
    const ends = fc.constantFrom('\n', '\r', '\r\n');
    const text = 'id: 1|event: log|data: é😀|data: two||: ping||id: 2||data: three||';
    const expected = [
      { id: '1', event: 'log', data: 'é😀\ntwo' },
      { id: '2', event: 'message', data: 'three' },
    ];
    fc.assert(
      fc.property(ends, fc.array(fc.nat(text.length), { maxLength: 20 }), (end, cuts) => {
        const whole = text.replaceAll('|', end);
        const places = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
        const pieces = places.slice(1).map((place, index) => whole.slice(places[index], place));
        expect(parse(...pieces).events).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });
});
