import { describe, expect, it } from 'vitest';
import type { Metrics } from './render-metrics.ts';
import { renderPlots } from './render-plots.ts';

const MEBIBYTE = 1024 ** 2;
const minute = (number: number) => new Date(Date.UTC(2026, 0, 1, 12, number)).toISOString();

const metrics = {
  environmentId: 'env_1',
  deploymentType: 'container',
  timeRange: { startTime: minute(0), endTime: minute(40), stepSeconds: 60 },
  metrics: {
    cpu: [],
    memory: [{ t: minute(39), v: 64 * MEBIBYTE }],
    requestCount: [
      { t: minute(0), v: 10 },
      { t: minute(20), v: 5 },
    ],
  },
} as Metrics;

describe('renderPlots', () => {
  it('shows the scale, the newest value or the sum, and the times', () => {
    expect(renderPlots(metrics, { width: 48, hasUnicode: true }).split('\n')).toEqual([
      'Memory: 64 MiB now',
      `64 MiB │${' '.repeat(39)}█`,
      `       │${' '.repeat(39)}█`,
      `       │${' '.repeat(39)}█`,
      `     0 └${'─'.repeat(40)}`,
      `        12:00${' '.repeat(26)}12:40 UTC`,
      '',
      'Requests: 15 in all',
      '    10 │█',
      `       │█${' '.repeat(19)}▄`,
      `       │█${' '.repeat(19)}█`,
      `     0 └${'─'.repeat(40)}`,
      `        12:00${' '.repeat(26)}12:40 UTC`,
      '',
      'Not measured: CPU.',
    ]);
  });

  it('fits into a narrow terminal', () => {
    for (const line of renderPlots(metrics, { width: 20, hasUnicode: false }).split('\n')) {
      expect(line.length).toBeLessThanOrEqual(20);
    }
    const nothing = { ...metrics, metrics: { cpu: [] } };
    expect(renderPlots(nothing, { width: 20, hasUnicode: true })).toBe('Nothing was measured in this time.');
  });
});
