import { describe, expect, it } from 'vitest';
import { writeExposition } from './exposition.ts';
import { familiesOf } from './render-metrics.ts';
import { parseExposition } from './testing/parse-exposition.ts';
import { Vitals } from '../../lib/vitals.ts';

const processOf = (role: string, place: number, home: string) => {
  const vitals = new Vitals();
  vitals.counter('lilac_requests_total', 'Requests.').value = place;
  return { machine: 'one', home, role, place, families: vitals.snapshot() };
};

describe('the exposition', () => {
  it('is what Prometheus documents', () => {
    const vitals = new Vitals();
    vitals.counter('lilac_requests_total', 'Requests.', { status: '2xx' }).value = 1027;
    vitals.gauge('lilac_open', 'Open ones.').value = 0.25;
    const histogram = vitals.histogram('lilac_seconds', 'Seconds.', [0.1, 1]);
    for (const value of [0.05, 0.5, 2]) histogram.observe(value);
    expect(writeExposition(vitals.snapshot())).toBe(
      [
        '# HELP lilac_requests_total Requests.',
        '# TYPE lilac_requests_total counter',
        'lilac_requests_total{status="2xx"} 1027',
        '# HELP lilac_open Open ones.',
        '# TYPE lilac_open gauge',
        'lilac_open 0.25',
        '# HELP lilac_seconds Seconds.',
        '# TYPE lilac_seconds histogram',
        'lilac_seconds_bucket{le="0.1"} 1',
        'lilac_seconds_bucket{le="1"} 2',
        'lilac_seconds_bucket{le="+Inf"} 3',
        'lilac_seconds_sum 2.55',
        'lilac_seconds_count 3',
        '',
      ].join('\n'),
    );
  });

  it.each(['a"b', 'a\\', 'a\nb', '\\n', '}', 'a,b="c"', 'ö🎉'])('keeps any label whole: %j', (text) => {
    const vitals = new Vitals();
    vitals.gauge('lilac_a', 'One\nline \\ only.', { kind: text, other: 'x' }).value = 1;
    const family = parseExposition(writeExposition(vitals.snapshot())).get('lilac_a');
    expect(family!.samples).toEqual([{ name: 'lilac_a', labels: { kind: text, other: 'x' }, value: 1 }]);
  });

  it('has each family once, however many processes count it, and says which did', () => {
    const same = [processOf('edge', 1, '/a'), processOf('edge', 2, '/a'), processOf('api', 0, '/a')];
    const parsed = parseExposition(writeExposition(familiesOf(same)));
    expect(parsed.get('lilac_requests_total')!.samples.map(({ labels }) => labels)).toEqual([
      { machine: 'one', role: 'edge', place: '1' },
      { machine: 'one', role: 'edge', place: '2' },
      { machine: 'one', role: 'api', place: '0' },
    ]);
    // Two installations of one machine on one store are told apart.
    const shared = parseExposition(writeExposition(familiesOf([...same, processOf('edge', 1, '/b')])));
    expect(shared.get('lilac_requests_total')!.samples.map(({ labels }) => labels['machine'])).toEqual([
      'one:/a',
      'one:/a',
      'one:/a',
      'one:/b',
    ]);
  });

  it('leaves out what an older process counts as something else', () => {
    const family = { name: 'lilac_things', help: 'Things.', samples: [{ labels: {}, value: 1 }] };
    const text = writeExposition([
      { ...family, kind: 'gauge' },
      { ...family, kind: 'histogram' },
    ]);
    expect(parseExposition(text).get('lilac_things')!.samples).toHaveLength(1);
  });
});

describe('the reader of the tests', () => {
  it.each([
    ['a line without an end', '# HELP a b\n# TYPE a gauge\na 1'],
    ['a sample of another family', '# HELP a b\n# TYPE a gauge\nb 1\n'],
    ['a series twice', '# HELP a b\n# TYPE a gauge\na{x="1"} 1\na{x="1"} 2\n'],
    ['a family twice', '# HELP a b\n# TYPE a gauge\na 1\n# HELP a b\n# TYPE a gauge\na 2\n'],
    ['a quote in a label', '# HELP a b\n# TYPE a gauge\na{x="1"2"} 1\n'],
    ['a number that is none', '# HELP a b\n# TYPE a gauge\na one\n'],
    ['a counter without its ending', '# HELP a b\n# TYPE a counter\na 1\n'],
    ['a histogram without its end', '# HELP a b\n# TYPE a histogram\na_bucket{le="1"} 1\na_sum 1\na_count 1\n'],
  ])('refuses %s', (_, text) => {
    expect(() => parseExposition(text)).toThrow(Error);
  });
});
