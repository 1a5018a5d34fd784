import { createHmac, randomUUID } from 'node:crypto';

/** What comes with what the host tells: the body is signed with the app's own secret. */
export function githubHeaders(event: string, body: Buffer, secret: string): Record<string, string> {
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return {
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/044aadd',
    'x-github-event': event,
    'x-github-delivery': randomUUID(),
    'x-github-hook-id': '1',
    'x-github-hook-installation-target-type': 'integration',
    'x-hub-signature-256': `sha256=${signature}`,
  };
}
