import { hasCode, isConflict, isNotFound, WaitTimedOut, type Deployment, type Lilac } from '@lilac/sdk';
import type { LiveLine } from '../terminal/live-line.ts';
import { plainText } from '../terminal/printable.ts';
import type { Started } from './start-deployment.ts';
import { findServedInstead, isStillServed } from './still-served.ts';

/** Longer than a build needs to notice that nobody wants it. */
const CANCEL_MS = 60_000;
/** A switch takes moments; a router that does not follow is given up after some more. */
const SWITCH_MS = 45_000;
const STILL = ' What was served before is still served.';

/** Of a rollback it is known what was served before; null: nothing was. */
type Begun = Started & { before?: string | null };

/**
 * After Ctrl-C: the deployment is cancelled, and an application that it was to begin is removed again. What was
 * released before the word arrived stays, and is told.
 */
export async function takeBack(lilac: Lilac, line: LiveLine, started: Begun): Promise<void> {
  tell(line, `Cancelling the ${nameOf(started)}; Ctrl-C again leaves it as it is`);
  try {
    await tellEnd(lilac, line, { started, deployment: await cancelled(lilac, line, started) });
  } catch (error) {
    line.end();
    line.print(notCancelled(started, error as Error));
  }
}

const isRollback = ({ before }: Begun) => before !== undefined;
const nameOf = (begun: Begun) => (isRollback(begun) ? 'rollback' : 'deployment');

function tell(line: LiveLine, doing: string): void {
  if (!line.isLive) line.print(doing);
  line.show(() => doing);
}

async function cancelled(lilac: Lilac, line: LiveLine, { organisationId, deploymentId }: Started): Promise<Deployment> {
  const own = { targetOrganisationId: organisationId };
  const body = { ...own, deploymentId };
  let timeoutMs = CANCEL_MS;
  try {
    await lilac.call('deployments.cancel', { body });
  } catch (error) {
    if (!isConflict(error)) throw error;
    const { status } = await lilac.call('deployments.get', { body });
    // Otherwise it has ended already, in a way that is seen below.
    if (status === 'deploying') tell(line, TOO_LATE);
    timeoutMs = SWITCH_MS;
  }
  return await lilac.waitForDeployment(deploymentId, { ...own, fromLine: -1, timeoutMs });
}

const TOO_LATE =
  'Too late to cancel: visitors are being switched to it. Waiting for that to end; Ctrl-C again leaves it as it is';

interface TakenBack {
  started: Begun;
  deployment: Deployment;
}

async function tellEnd(lilac: Lilac, line: LiveLine, { started, deployment }: TakenBack): Promise<void> {
  line.end();
  const { status, error, is_live: isLive } = deployment;
  if (status === 'healthy') {
    // What was released once stays healthy when a rollback to it is cancelled.
    if (isRollback(started) && !isLive) return await tellNotRolledBack(lilac, line, started);
    return tellReleased(line, started);
  }
  if (started.unlink) return await removeApplication(lilac, line, { started, deployment });
  const still = (await isStillServed(lilac, started)) ? STILL : '';
  line.print(
    `${endOf(deployment, nameOf(started))}${status === 'failed' && error ? ` ${plainText(error)}` : ''}${still}`,
  );
}

const endOf = ({ status }: Deployment, name: string) =>
  status === 'failed' ? `The ${name} failed before it was cancelled.` : `The ${name} was cancelled.`;

async function tellNotRolledBack(lilac: Lilac, line: LiveLine, started: Begun): Promise<void> {
  const served = await findServedInstead(lilac, started);
  const isAnother = served !== null && served.id !== started.before;
  if (isAnother) line.print(`The rollback came to nothing: ${served.id} was released since, and is served.`);
  else line.print(`The rollback was cancelled.${served ? STILL : ''}`);
}

function tellReleased(line: LiveLine, { url, unlink, applicationId, before }: Begun): void {
  line.print(`It was released before it could be cancelled, and is served at ${plainText(url)}`);
  if (before === null) return;
  const back = before === undefined ? 'lilac rollback' : `lilac rollback ${before}`;
  line.print(unlink ? `To remove it: lilac apps delete ${applicationId}` : `To go back: ${back}`);
}

function notCancelled(begun: Begun, error: Error): string {
  const { deploymentId } = begun;
  if (error instanceof WaitTimedOut) {
    return `The platform has not said yet what became of it. To see it: lilac deployments get ${deploymentId}`;
  }
  return (
    `The ${nameOf(begun)} could not be cancelled (${plainText(error.message)}). ` +
    `It may go on. To stop it: lilac deployments cancel ${deploymentId}`
  );
}

async function removeApplication(lilac: Lilac, line: LiveLine, { started, deployment }: TakenBack): Promise<void> {
  const { organisationId, applicationId, applicationName, unlink } = started;
  const end = endOf(deployment, nameOf(started));
  try {
    await lilac.call('applications.delete', { body: { targetOrganisationId: organisationId, applicationId } });
    unlink!();
    line.print(`${end.slice(0, -1)}, and the new application "${plainText(applicationName)}" was removed again.`);
  } catch (error) {
    if (isNotFound(error)) return unlink!();
    const why = hasCode(error, 'CA005') ? 'your role may not remove it' : plainText((error as Error).message);
    line.print(
      `${end} The new application "${plainText(applicationName)}" stays: ${why}. ` +
        `To remove it: lilac apps delete ${applicationId}`,
    );
  }
}
