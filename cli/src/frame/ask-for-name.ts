import { type Flag, switchFlag } from './flag.ts';
import { GaveUp } from './gave-up.ts';
import type { CommandRun } from './own-command.ts';
import { plainText } from '../terminal/printable.ts';
import { UsageError } from './usage-error.ts';

/** For what cannot be taken back. */
export const yesFlag: Flag = switchFlag('yes', 'do not ask; needed where nobody can be asked');

interface Question {
  /** A sentence for who cannot be asked. */
  refusal: string;
  /** What happens, and the name that is to be typed. */
  read: () => Promise<{ warning: string; name: string; otherwise: string }>;
}

/** Goes on only where the name is typed. */
export async function askForName({ input, complain }: CommandRun, { refusal, read }: Question): Promise<void> {
  if (!input.isTerminal) throw new UsageError(`${refusal} Add --yes to do it.`);
  const { warning, name, otherwise } = await read();
  complain(`${warning}\n`);
  const typed = await input.ask('Type its name to go on: ');
  if (typed.trim() !== plainText(name).trim()) throw new GaveUp(`That is not its name. ${otherwise}`);
}
