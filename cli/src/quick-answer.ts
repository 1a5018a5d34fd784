import summaries from './frame/command-list.json' with { type: 'json' };
import { generalHelp } from './frame/general-help.ts';
import { version } from './frame/version.ts';

const commands = Object.entries(summaries).map(([name, summary]) => ({ words: name.split(' '), summary }));

/** What can be answered without knowing the API; null for the rest. */
export function answerQuickly(argv: readonly string[], width: number): string | null {
  const [only, ...more] = argv;
  if (more.length > 0) return null;
  if (only === '--version' || only === '-v') return `${version()}\n`;
  return only === undefined || only === '--help' || only === '-h' ? generalHelp(commands, version(), width) : null;
}
