import { Command, CommanderError } from 'commander';
import { environmentForRoles, loadConfig } from '../config.ts';
import { addCertificates } from './admin-certificates.ts';
import { addDatabases } from './admin-databases.ts';
import { addErrors } from './admin-errors.ts';
import { addLeaders } from './admin-leaders.ts';
import { addKeyRotate } from './admin-key-rotate.ts';
import { addOwnerCreate } from './admin-owner-create.ts';
import { addPasswordSet } from './admin-password-set.ts';
import { addPlanSet } from './admin-plan-set.ts';
import { addSessionCreate } from './admin-session-create.ts';
import { addVcs } from './admin-vcs.ts';
import { addBackup } from './backup-command.ts';
import { addDoctor } from './doctor-command.ts';
import { explainFailure } from './explain-failure.ts';
import { wasInterrupted } from './interruption.ts';
import type { OperatorContext } from './operator-context.ts';
import { addRestore } from './restore-command.ts';
import { openProcessTerminal } from './terminal.ts';

const MISUSED = 2;

/** Runs `lilac admin|doctor|backup|restore …`; answers the exit code: 0, 1 when it failed, 2 when it was misused. */
export async function runOperatorCommand(
  argv: readonly string[],
  surroundings: Omit<OperatorContext, 'exitCode'> = {
    terminal: openProcessTerminal(),
    loadConfig,
    environmentOf: environmentForRoles,
  },
): Promise<number> {
  const context: OperatorContext = { ...surroundings, exitCode: 0 };
  try {
    await buildProgram(context).parseAsync([...argv], { from: 'user' });
    return context.exitCode;
  } catch (error) {
    // Commander has said already what was wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED;
    const { lines, exitCode } = explainFailure(error);
    if (!wasInterrupted()) for (const line of lines) context.terminal.complain(line);
    return exitCode;
  }
}

export function buildProgram(context: OperatorContext): Command {
  const { terminal } = context;
  const program = new Command('lilac')
    .description('The commands for whoever runs the platform. They work on LILAC_HOME, as its owner.')
    .exitOverride()
    .showHelpAfterError('Add --help to see how it is used.')
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.complain(text.trimEnd()),
    });
  const admin = program
    .command('admin')
    .description(
      'accounts, passwords, plans, keys, certificates, repository hosts, databases, errors and leaders of this ' +
        'installation',
    );
  addOwnerCreate(admin, context);
  addSessionCreate(admin, context);
  addPasswordSet(admin, context);
  addPlanSet(admin, context);
  addKeyRotate(admin, context);
  addErrors(admin, context);
  addLeaders(admin, context);
  addDatabases(admin, context);
  addCertificates(admin, context);
  addVcs(admin, context);
  addDoctor(program, context);
  addBackup(program, context);
  addRestore(program, context);
  return program;
}
