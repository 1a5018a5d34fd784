import { describe, expect, it } from 'vitest';
import { parseAnsi } from './ansi.ts';
import { ansiLook, contrast, legible } from './ansi-look.ts';

const lookOf = (codes: string) => ansiLook(parseAnsi(`\u001B[${codes}mx`)[0]!.style!);
type Rgb = [number, number, number];

describe('the look of a style', () => {
  it("the terminal's own colours are the theme's to choose", () => {
    expect(lookOf('1;31')).toEqual({ className: 'ansi-bold ansi-1' });
    expect(lookOf('4;2;95')).toEqual({ className: 'ansi-dim ansi-underlined ansi-13' });
  });

  it('other colours are one for the light and one for the dark', () => {
    expect(lookOf('38;2;255;255;0').style!.color).toMatch(/^light-dark\(rgb\(\d+ \d+ \d+\), rgb\(255 255 0\)\)$/);
  });

  it('a ground brings its own ink', () => {
    expect(lookOf('30;43').style).toEqual({ backgroundColor: 'rgb(184 134 11)', color: expect.any(String) });
    expect(lookOf('7')).toEqual({ className: 'ansi-inverse' });
    expect(lookOf('48;2;0;0;0').style).toEqual({ backgroundColor: 'rgb(0 0 0)', color: 'rgb(255 255 255)' });
    expect(lookOf('7;32').style).toMatchObject({ backgroundColor: 'rgb(43 138 91)' });
  });

  it('can be read on every ground, whatever the program chose', () => {
    const shades = [0, 64, 128, 160, 192, 255];
    const colours = shades.flatMap((red) => shades.flatMap((green) => shades.map((blue): Rgb => [red, green, blue])));
    const grounds: Rgb[] = [[255, 255, 255], [31, 27, 39], [128, 128, 128], ...colours.slice(0, 40)];
    const worst = Math.min(
      ...grounds.flatMap((ground) => colours.map((ink) => contrast(legible(ink, ground), ground))),
    );
    expect(worst).toBeGreaterThanOrEqual(4.5);
  });
});
