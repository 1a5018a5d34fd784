import { hasCode, isConflict, isNotFound, type Deployment, type Lilac } from '@lilac/sdk';
import type { LiveLine } from '../terminal/live-line.ts';
import { plainText } from '../terminal/printable.ts';
import type { Started } from './start-deployment.ts';
import { isStillServed } from './still-served.ts';

/** Longer than a build needs to notice that nobody wants it. */
const CANCEL_MS = 60_000;
const STILL = ' What was served before is still served.';

/**
 * After Ctrl-C: the deployment is cancelled, and an application that it was to begin is removed again. What was
 * released before the word arrived stays, and is told.
 */
export async function takeBack(lilac: Lilac, line: LiveLine, started: Started): Promise<void> {
  const doing = 'Cancelling the deployment; Ctrl-C again leaves it as it is';
  if (!line.isLive) line.print(doing);
  line.show(() => doing);
  const leftover = `It may go on. To stop it: lilac deployments cancel ${started.deploymentId}`;
  try {
    const { status } = await cancelled(lilac, started);
    line.end();
    if (status === 'healthy')
      line.print(`It was released before it could be cancelled, and is served at ${plainText(started.url)}`);
    else if (started.unlink) await removeApplication(lilac, line, started);
    else line.print(`The deployment was cancelled.${(await isStillServed(lilac, started)) ? STILL : ''}`);
  } catch (error) {
    line.end();
    line.print(`The deployment could not be cancelled (${plainText((error as Error).message)}). ${leftover}`);
  }
}

async function cancelled(lilac: Lilac, { organisationId, deploymentId }: Started): Promise<Deployment> {
  const body = { targetOrganisationId: organisationId, deploymentId };
  await lilac.call('deployments.cancel', { body }).catch((error: unknown) => {
    // It has ended already: in which way is seen below.
    if (!isConflict(error)) throw error;
  });
  return await lilac.waitForDeployment(deploymentId, {
    targetOrganisationId: organisationId,
    fromLine: -1,
    timeoutMs: CANCEL_MS,
  });
}

async function removeApplication(lilac: Lilac, line: LiveLine, started: Started): Promise<void> {
  const { organisationId, applicationId, applicationName, unlink } = started;
  try {
    await lilac.call('applications.delete', { body: { targetOrganisationId: organisationId, applicationId } });
    unlink!();
    line.print(
      `The deployment was cancelled, and the new application "${plainText(applicationName)}" was removed again.`,
    );
  } catch (error) {
    if (isNotFound(error)) return unlink!();
    const why = hasCode(error, 'CA005') ? 'your role may not remove it' : plainText((error as Error).message);
    line.print(
      `The deployment was cancelled. The new application "${plainText(applicationName)}" stays: ${why}. ` +
        `To remove it: lilac apps delete ${applicationId}`,
    );
  }
}
