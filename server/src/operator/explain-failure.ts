import { BackupError } from '../backup/backup-format.ts';
import { ConfigError } from '../config.ts';
import { Fault } from '../lib/fault.ts';
import { LockHeld } from '../lib/file-lock.ts';
import { SealedValueError } from '../secrets/envelope.ts';
import { KeyFileError } from '../secrets/stored-keys.ts';
import { OperatorError } from './operator-error.ts';

const FAILED = 1;
const MISUSED = 2;

/** A failure as lines for people. What nobody expected keeps its trace, to be reported. */
export function explainFailure(error: unknown): { lines: string[]; exitCode: number } {
  if (error instanceof OperatorError) return { lines: [`lilac: ${error.message}`, error.advice], exitCode: FAILED };
  if (error instanceof Fault) {
    return { lines: [`lilac: ${error.message}`], exitCode: error.code === 'VA001' ? MISUSED : FAILED };
  }
  if (error instanceof LockHeld) {
    const advice = 'Wait until it is done, or stop that process.';
    return {
      lines: [`lilac: another command works on this installation (process ${error.holder.pid}).`, advice],
      exitCode: FAILED,
    };
  }
  if (isForPeople(error)) return { lines: [`lilac: ${error.message}`], exitCode: FAILED };
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { lines: ['lilac: this went wrong in a way nobody expected:', trace], exitCode: FAILED };
}

const errorsForPeople = [BackupError, ConfigError, KeyFileError, SealedValueError];

/** Those that say by themselves what to do, and what the system says about a file. */
function isForPeople(error: unknown): error is Error {
  if (errorsForPeople.some((kind) => error instanceof kind)) return true;
  return error instanceof Error && 'syscall' in error && 'path' in error;
}
