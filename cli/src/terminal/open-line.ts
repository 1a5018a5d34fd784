import type { CommandRun } from '../frame/own-command.ts';
import { LiveLine } from './live-line.ts';

/** Progress goes where questions go: what is printed may be piped elsewhere. */
export function openLine({
  input,
  complain,
  paper,
  settings,
}: Pick<CommandRun, 'input' | 'complain' | 'paper' | 'settings'>): LiveLine {
  const isLive = input.isTerminal;
  const { hasUnicode } = paper;
  // What is printed may go to a file while progress is looked at.
  const width = Math.min(paper.width, process.stderr.columns || paper.width);
  return new LiveLine({ write: complain, width, hasUnicode, isLive, hasColours: isLive && settings.wantsColours });
}
