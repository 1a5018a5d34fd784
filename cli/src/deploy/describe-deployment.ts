import type { Output } from '@lilac/sdk';
import { plainText } from '../terminal/printable.ts';

/** In one line, so that people know which one it is. */
export function describeDeployment(deployment: Output<'deployments.list'>[number]): string {
  const { id, commit_sha: sha, commit_message: message, started_at: at } = deployment;
  const commit = sha ? `, ${sha.slice(0, 7)}${message ? ` "${plainText(message.split('\n', 1)[0]!)}"` : ''}` : '';
  return `${id}${commit}, ${at.slice(0, 16).replace('T', ' ')} UTC`;
}
