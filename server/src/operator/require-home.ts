import { accessSync, constants, existsSync, mkdirSync, statSync, type Stats } from 'node:fs';
import { pathsOf } from '../config.ts';
import { choosesWrongly, holdsSomethingElse } from '../store/home-folder.ts';
import { OperatorError } from './operator-error.ts';

/**
 * The operator is whoever can read LILAC_HOME. Its owner, to be exact: files that another user
 * (root too) made in there would be shut to the server.
 */
export function requireHome(home: string, { mayCreate }: { mayCreate: boolean }): void {
  const stat = statOf(home);
  const { run, logs, secrets } = pathsOf({ home });
  if (stat) requireOwn(home, stat);
  if (!mayCreate && !existsSync(secrets)) throw noInstallation(home);
  if (holdsSomethingElse(home)) throw new OperatorError(choosesWrongly(home), 'Nothing was changed.');
  for (const folder of [home, run, logs, secrets]) mkdirSync(folder, { recursive: true, mode: 0o700 });
}

function requireOwn(home: string, stat: Stats): void {
  if (!stat.isDirectory()) throw new OperatorError(`${home} is not a folder.`, 'Set LILAC_HOME to a folder.');
  if (stat.uid !== process.getuid?.()) throw notYours(home, stat.uid);
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    throw new OperatorError(`${home} is shut to its own owner.`, `Run "chmod 700 ${home}".`);
  }
}

function statOf(home: string): Stats | undefined {
  try {
    return statSync(home, { throwIfNoEntry: false });
  } catch (cause) {
    throw new OperatorError(
      `You may not read LILAC_HOME (${home}).`,
      'Run this command as the user the installation belongs to, or set LILAC_HOME.',
      { cause },
    );
  }
}

function noInstallation(home: string): OperatorError {
  return new OperatorError(
    `There is no installation in ${home}.`,
    'Start the server once ("npm start"), or set LILAC_HOME to the folder of the installation you mean.',
  );
}

function notYours(home: string, uid: number): OperatorError {
  return new OperatorError(
    `LILAC_HOME (${home}) belongs to another user (uid ${uid}).`,
    `Run this command as that user ("sudo -u '#${uid}' lilac …"), or set LILAC_HOME.`,
  );
}
