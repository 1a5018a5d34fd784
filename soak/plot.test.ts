import { describe, expect, it } from 'vitest';
import { plotSamples } from './plot.ts';

/** As wide as a digit of twelve pixels is in any usual font, and a little more. */
const WIDEST_DIGIT = 8;

const sampleAt = (minute: number) => ({
  minute,
  figures: { 'wait of site': 123_456 * (minute / 120), 'memory of api': 150, load: 3 },
});

describe('the plot of a soak', () => {
  const plot = plotSamples([0, 60, 120].map(sampleAt));

  it('has room for the figures beside its axes', () => {
    const beside = [...plot.matchAll(/<text x="(\d+)" y="\d+" text-anchor="end">([\d.]+)<\/text>/g)];
    expect(beside.map(([, , figure]) => figure)).toEqual(expect.arrayContaining(['123456', '150', '3.0', '0']));
    for (const [, x, figure] of beside) expect(Number(x)).toBeGreaterThanOrEqual(figure!.length * WIDEST_DIGIT);
  });

  it('names the unit with what is drawn, where there is one', () => {
    expect(plot).toContain('>Wait of half of the visits (ms)</text>');
    expect(plot).toContain('>Memory (MB)</text>');
    expect(plot).toContain('>Open files</text>');
  });
});
