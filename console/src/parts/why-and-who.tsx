import type { Deployment } from '../lib/describe-deployment.ts';
import { inConsoleWords } from '../lib/in-console-words.ts';
import { type EnvironmentEntry, lastRollback, whyDeployed } from '../lib/why-deployed.ts';
import { Time } from './time.tsx';

interface WhyAndWhoProps {
  deployment: Deployment;
  /** Of its environment, newest first. */
  deployments: readonly Deployment[];
  entries: readonly EnvironmentEntry[];
}

/** What tells deployments of one commit apart; nothing where nothing is known. */
export function WhyAndWho({ deployment, deployments, entries }: WhyAndWhoProps) {
  const why = whyDeployed(deployment, { deployments, entries });
  const back = lastRollback(deployment, entries);
  // Of a failure its page has more to say than a line holds.
  const end = deployment.status === 'cancelled' ? deployment.error : null;
  if (!why && !back && !end) return null;
  return (
    <p className="meta break">
      {why}
      {why && (back || end) && ' · '}
      {back && (
        <>
          {back.text} <Time at={back.at} />
        </>
      )}
      {back && end && ' · '}
      {end && inConsoleWords(end)}
    </p>
  );
}
