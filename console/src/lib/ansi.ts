/** 0 to 15: one of the terminal's own colours, which a theme may choose; else `#rrggbb`. */
export type AnsiColour = number | string;

export interface AnsiStyle {
  ink: AnsiColour | null;
  ground: AnsiColour | null;
  isBold: boolean;
  isDim: boolean;
  isItalic: boolean;
  isUnderlined: boolean;
  isInverse: boolean;
}

export interface AnsiSpan {
  text: string;
  /** Null: as all text is. */
  style: AnsiStyle | null;
}

const PLAIN: AnsiStyle = {
  ink: null,
  ground: null,
  isBold: false,
  isDim: false,
  isItalic: false,
  isUnderlined: false,
  isInverse: false,
};

const styleNames = Object.keys(PLAIN) as (keyof AnsiStyle)[];

const TAB_COLUMNS = 8;
const ESC = String.fromCodePoint(0x1b);
const BEL = String.fromCodePoint(0x07);
const CONTROL = `${String.fromCodePoint(0)}-${String.fromCodePoint(0x1f)}${String.fromCodePoint(0x7f)}`;
const anyControl = new RegExp(`[${CONTROL}]`);
/**
 * ECMA-48: control sequences, whose first two groups are parameters and final byte; strings such as titles and links;
 * the rest.
 */
const escape = new RegExp(
  [
    `${ESC}\\[([0-?]*)[ -/]*([@-~])?`,
    `${ESC}[\\]PX^_][^${ESC}${BEL}]*(?:${BEL}|${ESC}\\\\)?`,
    `${ESC}[ -/]*[0-~]?`,
    `[${CONTROL}]`,
  ].join('|'),
  'g',
);

/** Most of what there is. */
const colours = new RegExp(`${ESC}\\[[\\d;:]*m`, 'g');

/** What a terminal would show of one line: colours and weights kept, every other control dropped. */
export function parseAnsi(line: string, before: AnsiStyle | null = null): AnsiSpan[] {
  if (!anyControl.test(line)) return line === '' ? [] : [{ text: line, style: before }];
  const [over, text] = lastWritten(line);
  const spans: AnsiSpan[] = [];
  let style = styleAfter(over, before);
  let column = 0;
  let end = 0;
  const push = (part: string) => {
    if (part === '') return;
    column += part.length;
    const last = spans.at(-1);
    if (last && last.style === style) last.text += part;
    else spans.push({ text: part, style });
  };
  for (const found of text.matchAll(escape)) {
    push(text.slice(end, found.index));
    end = found.index + found[0].length;
    if (found[0] === '\t') push(' '.repeat(TAB_COLUMNS - (column % TAB_COLUMNS)));
    else if (found[0] === '\n') push(' ');
    else if (found[2] === 'm') style = styled(style, found[1]!);
  }
  push(text.slice(end));
  return spans;
}

/** What a line leaves on for the next one. The same object where it changes nothing. */
export function styleAfter(line: string, before: AnsiStyle | null): AnsiStyle | null {
  if (!line.includes(ESC)) return before;
  let style = before;
  for (const [, parameters, final] of line.matchAll(escape)) if (final === 'm') style = styled(style, parameters!);
  return isSameStyle(style, before) ? before : style;
}

function isSameStyle(one: AnsiStyle | null, other: AnsiStyle | null): boolean {
  if (one === null || other === null) return one === other;
  return one === other || styleNames.every((name) => one[name] === other[name]);
}

export function stripAnsi(line: string): string {
  if (!anyControl.test(line)) return line;
  const uncoloured = line.replaceAll(colours, '');
  if (!anyControl.test(uncoloured)) return uncoloured;
  return parseAnsi(line)
    .map(({ text }) => text)
    .join('');
}

/** Progress bars go back to the beginning and write over it: what was written last counts. What is before it, first. */
function lastWritten(line: string): [over: string, text: string] {
  const trimmed = line.replaceAll(/\r+\n/g, '\n').replace(/[\r\n]+$/, '');
  const start = trimmed.lastIndexOf('\r') + 1;
  return [trimmed.slice(0, start), trimmed.slice(start)];
}

const resets: Record<number, Partial<AnsiStyle>> = {
  1: { isBold: true },
  2: { isDim: true },
  3: { isItalic: true },
  4: { isUnderlined: true },
  7: { isInverse: true },
  21: { isUnderlined: true },
  22: { isBold: false, isDim: false },
  23: { isItalic: false },
  24: { isUnderlined: false },
  27: { isInverse: false },
  39: { ink: null },
  49: { ground: null },
};

function styled(before: AnsiStyle | null, parameters: string): AnsiStyle | null {
  // With `<`, `=`, `>` or `?` it is a terminal's own setting, and no style.
  if (/[<-?]/.test(parameters)) return before;
  const codes = parameters.split(';');
  let style = before ?? PLAIN;
  for (let at = 0; at < codes.length; at++) {
    const [code, ...details] = codes[at]!.split(':').map(Number) as [number, ...number[]];
    if (code === 0) style = PLAIN;
    else if (code === 38 || code === 48) {
      const isWhole = details.length > 0;
      const { colour, length } = isWhole ? colourOfDetails(details) : extendedColour(codes.slice(at + 1).map(Number));
      if (colour !== null) style = { ...style, [code === 38 ? 'ink' : 'ground']: colour };
      if (!isWhole) at += length;
    } else if (code === 4 && details[0] === 0) style = { ...style, isUnderlined: false };
    else style = { ...style, ...(resets[code] ?? basicColour(code)) };
  }
  return isSameStyle(style, PLAIN) ? null : style;
}

/**
 * ITU-T T.416, with colons: before red, green and blue the number of a colour space, mostly empty; xterm leaves it out.
 */
function colourOfDetails([kind, ...rest]: number[]) {
  return extendedColour([kind!, ...(kind === 2 && rest.length > 3 ? rest.slice(1) : rest)]);
}

function basicColour(code: number): Partial<AnsiStyle> {
  if (code >= 30 && code <= 37) return { ink: code - 30 };
  if (code >= 40 && code <= 47) return { ground: code - 40 };
  if (code >= 90 && code <= 97) return { ink: code - 82 };
  if (code >= 100 && code <= 107) return { ground: code - 92 };
  return {};
}

/** `5;n` or `2;r;g;b`; what is neither takes nothing with it. */
function extendedColour([kind, ...rest]: number[]): { colour: AnsiColour | null; length: number } {
  if (kind === 5 && isByte(rest[0])) return { colour: indexedColour(rest[0]), length: 2 };
  const [red, green, blue] = rest;
  if (kind === 2 && isByte(red) && isByte(green) && isByte(blue)) return { colour: hex(red, green, blue), length: 4 };
  return { colour: null, length: 0 };
}

function isByte(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value >= 0 && value <= 255;
}

/** After the first 16 a cube of 6 × 6 × 6 colours, then 24 greys. */
function indexedColour(index: number): AnsiColour {
  if (index < 16) return index;
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return hex(grey, grey, grey);
  }
  const place = index - 16;
  return hex(shade(Math.floor(place / 36)), shade(Math.floor(place / 6)), shade(place));
}

function hex(...parts: [number, number, number]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function shade(place: number): number {
  return place % 6 === 0 ? 0 : 55 + (place % 6) * 40;
}
