import { stripVTControlCharacters } from 'node:util';

export interface LiveLineOptions {
  /** Where people look; never what a program reads. */
  write: (text: string) => void;
  width: number;
  hasColours: boolean;
  hasUnicode: boolean;
  /** Whether a line can be written over. Elsewhere only what stays is written. */
  isLive: boolean;
}

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const PLAIN_FRAMES = '|/-\\';
const FRAME_MS = 100;
const CLEAR_LINE = '\r\u001b[K';
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';

/** The last line of the terminal, which tells what is going on now, below lines that stay. */
export class LiveLine implements Disposable {
  readonly #options: LiveLineOptions;
  #text: (() => string) | null = null;
  #timer: NodeJS.Timeout | undefined;
  #frame = 0;

  constructor(options: LiveLineOptions) {
    this.#options = options;
  }

  /** Shown and kept up to date until something else is. */
  show(text: () => string): void {
    this.#text = text;
    if (!this.#options.isLive) return;
    if (!this.#timer) {
      this.#options.write(HIDE_CURSOR);
      // Whatever ends the program, the terminal has its cursor back.
      process.once('exit', this.#giveBack);
      this.#timer = setInterval(() => this.#draw(), FRAME_MS).unref();
    }
    this.#draw();
  }

  /** A line that stays. */
  print(line: string): void {
    this.#options.write(this.#timer ? `${CLEAR_LINE}${line}\n` : `${line}\n`);
    if (this.#timer) this.#draw();
  }

  /** Nothing is going on any more. */
  end(): void {
    this.#text = null;
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    process.off('exit', this.#giveBack);
    this.#giveBack();
  }

  [Symbol.dispose](): void {
    this.end();
  }

  readonly #giveBack = (): void => this.#options.write(`${CLEAR_LINE}${SHOW_CURSOR}`);

  #draw(): void {
    const { hasUnicode, write, width } = this.#options;
    const frames = hasUnicode ? FRAMES : PLAIN_FRAMES;
    const frame = frames[this.#frame++ % frames.length]!;
    // One that wraps could not be written over.
    write(`${CLEAR_LINE}${this.paint('accent', frame)} ${cut(this.#text?.() ?? '', width - 3)}`);
  }

  paint(kind: keyof typeof PAINT, text: string): string {
    return this.#options.hasColours ? `${PAINT[kind]}${text}\u001b[0m` : text;
  }

  /** A mark before a line that stays. */
  mark(kind: keyof typeof MARKS): string {
    const [fancy, plain] = MARKS[kind];
    return this.paint(kind === 'next' ? 'accent' : kind, this.#options.hasUnicode ? fancy : plain);
  }

  get isLive(): boolean {
    return this.#options.isLive;
  }

  get hasUnicode(): boolean {
    return this.#options.hasUnicode;
  }

  get hasColours(): boolean {
    return this.#options.hasColours;
  }
}

const MARKS = { good: ['✓', '+'], bad: ['✗', 'x'], next: ['▸', '>'] } as const;

const PAINT = {
  accent: '\u001b[36m',
  good: '\u001b[32m',
  bad: '\u001b[31m',
  dim: '\u001b[2m',
  bold: '\u001b[1m',
} as const;

function cut(text: string, width: number): string {
  const plain = stripVTControlCharacters(text);
  return plain.length <= width ? text : plain.slice(0, Math.max(0, width));
}
