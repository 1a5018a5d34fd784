import { hasCode, isConflict, isNotFound, WaitTimedOut, type Deployment, type Lilac } from '@lilac/sdk';
import type { LiveLine } from '../terminal/live-line.ts';
import { plainText } from '../terminal/printable.ts';
import type { Started } from './start-deployment.ts';
import { isStillServed } from './still-served.ts';

/** Longer than a build needs to notice that nobody wants it. */
const CANCEL_MS = 60_000;
/** A switch takes moments; a router that does not follow is given up after some more. */
const SWITCH_MS = 45_000;
const STILL = ' What was served before is still served.';

/**
 * After Ctrl-C: the deployment is cancelled, and an application that it was to begin is removed again. What was
 * released before the word arrived stays, and is told.
 */
export async function takeBack(lilac: Lilac, line: LiveLine, started: Started): Promise<void> {
  tell(line, 'Cancelling the deployment; Ctrl-C again leaves it as it is');
  try {
    await tellEnd(lilac, line, { started, deployment: await cancelled(lilac, line, started) });
  } catch (error) {
    line.end();
    line.print(notCancelled(started, error as Error));
  }
}

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
  started: Started;
  deployment: Deployment;
}

async function tellEnd(lilac: Lilac, line: LiveLine, { started, deployment }: TakenBack): Promise<void> {
  line.end();
  const { status, error } = deployment;
  if (status === 'healthy') return tellReleased(line, started);
  if (started.unlink) return await removeApplication(lilac, line, { started, deployment });
  const still = (await isStillServed(lilac, started)) ? STILL : '';
  line.print(`${endOf(deployment)}${status === 'failed' && error ? ` ${plainText(error)}` : ''}${still}`);
}

const endOf = ({ status }: Deployment) =>
  status === 'failed' ? 'The deployment failed before it was cancelled.' : 'The deployment was cancelled.';

function tellReleased(line: LiveLine, { url, unlink, applicationId }: Started): void {
  line.print(`It was released before it could be cancelled, and is served at ${plainText(url)}`);
  line.print(unlink ? `To remove it: lilac apps delete ${applicationId}` : 'To go back: lilac rollback');
}

function notCancelled({ deploymentId }: Started, error: Error): string {
  if (error instanceof WaitTimedOut) {
    return `The platform has not said yet what became of it. To see it: lilac deployments get ${deploymentId}`;
  }
  return (
    `The deployment could not be cancelled (${plainText(error.message)}). ` +
    `It may go on. To stop it: lilac deployments cancel ${deploymentId}`
  );
}

async function removeApplication(lilac: Lilac, line: LiveLine, { started, deployment }: TakenBack): Promise<void> {
  const { organisationId, applicationId, applicationName, unlink } = started;
  const end = endOf(deployment);
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
