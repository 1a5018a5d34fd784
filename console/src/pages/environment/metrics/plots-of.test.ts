import { describe, expect, it } from 'vitest';
import { plotsOf, stepText } from './plots-of.ts';

const timeRange = { startTime: '2026-11-15T12:00:00.000Z', endTime: '2026-11-15T12:02:30.000Z', stepSeconds: 60 };
const latency = [{ t: '2026-11-15T12:01:00.000Z', v: 20 }];

describe('the plots of an environment', () => {
  it('a static site has none of instances', () => {
    const titles = plotsOf({ deploymentType: 'static', timeRange, metrics: {} }).map(({ title }) => title);
    expect(titles).toEqual(['Requests a minute', 'Latency', 'Bandwidth a minute']);
    expect(plotsOf({ deploymentType: 'container', timeRange, metrics: {} })).toHaveLength(6);
  });

  it('says that instances are an average: they may come and go within a step', () => {
    const plot = plotsOf({ deploymentType: 'container', timeRange, metrics: {} })[3]!;
    expect([plot.title, plot.series[0]!.unit]).toEqual(['Instances, on average', 'average']);
  });

  it('of sums, and of nothing else, it says which are not whole yet', () => {
    const plots = plotsOf({ deploymentType: 'container', timeRange, metrics: {} });
    const from = plots.map(({ series }) => series.map((each) => each.unfinishedFrom));
    const minute = Date.parse('2026-11-15T12:02:00.000Z');
    const none = [undefined];
    expect(from).toEqual([[minute], [...none, ...none, ...none], [minute, minute], none, none, none]);
  });

  it('what was not measured is a gap', () => {
    const plot = plotsOf({ deploymentType: 'static', timeRange, metrics: { latency } })[1]!;
    expect(plot.series.map(({ points }) => points.map(([, v]) => v))).toEqual([
      [null, null, null],
      [null, 20, null],
      [null, null, null],
    ]);
  });

  it.each([
    [60, 'a minute'],
    [300, 'in 5 minutes'],
    [3600, 'an hour'],
    [7200, 'in 2 hours'],
  ])('a step of %d s is said as "%s"', (seconds, text) => expect(stepText(seconds)).toBe(text));
});
