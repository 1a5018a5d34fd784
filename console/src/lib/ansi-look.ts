import type { AnsiColour, AnsiStyle } from './ansi.ts';

interface AnsiLook {
  className: string;
  /** Colours that no class has. */
  style?: { color?: string; backgroundColor?: string };
}

type Rgb = readonly [number, number, number];

/** What text stands on, in the light and in the dark: `--surface`. */
const LIGHT: Rgb = [255, 255, 255];
const DARK: Rgb = [31, 27, 39];
const INK: Rgb = [35, 29, 44];
/** WCAG 2: what text of this size needs. */
const ENOUGH = 4.5;

/** The terminal's own colours where they are a ground; as ink they are classes, which the theme fills. */
const palette: readonly string[] = (
  '#231d2c #c4314f #2b8a5b #b8860b #2f6fd6 #a349b8 #16808c #d5cede ' +
  '#655b73 #f59aac #84d6a8 #eabf6a #8fb8ff #e0a5f2 #7fd3dd #ffffff'
).split(' ');

/** How a style is shown so that it can be read: in both themes, on whatever ground. */
export function ansiLook(style: AnsiStyle): AnsiLook {
  // Turned around without any colour of its own it is the theme's ink and ground that change places.
  const isBare = style.isInverse && style.ink === null && style.ground === null;
  const isTurned = style.isInverse && !isBare;
  const [ink, ground] = isTurned ? [style.ground, style.ink ?? 0] : [style.ink, style.ground];
  const classes = [
    style.isBold && 'ansi-bold',
    style.isDim && 'ansi-dim',
    style.isItalic && 'ansi-italic',
    style.isUnderlined && 'ansi-underlined',
    isBare && 'ansi-inverse',
    typeof ink === 'number' && ground === null && `ansi-${ink}`,
  ];
  const className = classes.filter(Boolean).join(' ');
  if (ground !== null) return { className, style: onGround(rgbOf(ground), ink) };
  if (typeof ink === 'string') return { className, style: { color: inBothThemes(rgbOf(ink)) } };
  return { className };
}

function onGround(ground: Rgb, ink: AnsiColour | null): AnsiLook['style'] {
  const plain = contrast(INK, ground) > contrast(LIGHT, ground) ? INK : LIGHT;
  return { backgroundColor: css(ground), color: css(legible(ink === null ? plain : rgbOf(ink), ground)) };
}

function inBothThemes(ink: Rgb): string {
  return `light-dark(${css(legible(ink, LIGHT))}, ${css(legible(ink, DARK))})`;
}

/** The nearest shade of it that can be read there: darker or lighter, whichever gets away from the ground. */
export function legible(ink: Rgb, ground: Rgb): Rgb {
  const towards: Rgb = contrast([0, 0, 0], ground) > contrast(LIGHT, ground) ? [0, 0, 0] : LIGHT;
  for (let share = 0; share < 1; share += 0.1) {
    const shade = ink.map((part, index) => Math.round(part + (towards[index]! - part) * share)) as unknown as Rgb;
    if (contrast(shade, ground) >= ENOUGH) return shade;
  }
  return towards;
}

export function contrast(one: Rgb, other: Rgb): number {
  const [high, low] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function rgbOf(colour: AnsiColour): Rgb {
  const value = typeof colour === 'number' ? palette[colour]! : colour;
  return [1, 3, 5].map((at) => Number.parseInt(value.slice(at, at + 2), 16)) as unknown as Rgb;
}

function css(colour: Rgb): string {
  return `rgb(${colour.join(' ')})`;
}
