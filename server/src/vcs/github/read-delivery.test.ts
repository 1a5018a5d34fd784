import { createRequire } from 'node:module';
import { Webhooks, type EmitterWebhookEvent } from '@octokit/webhooks';
import { describe, expect, it } from 'vitest';
import { ForgedDelivery, type Delivery } from '../vcs-host.ts';
import { readGithubDelivery } from './read-delivery.ts';

type Payload = Record<string, unknown> & { action?: string; ref?: string };
const examples = createRequire(import.meta.url)('@octokit/webhooks-examples') as {
  name: string;
  examples: Payload[];
}[];
const examplesOf = (event: string) => examples.find(({ name }) => name === event)?.examples ?? [];

const pushes = examplesOf('push') as unknown as EmitterWebhookEvent<'push'>['payload'][];

const secret = 'the webhook secret';

/** Signed by what the host's own people wrote. */
async function deliver(event: string, payload: object, options: { secret?: string } = {}): Promise<Delivery> {
  const text = JSON.stringify(payload);
  const signature = await new Webhooks({ secret: options.secret ?? secret }).sign(text);
  const headers = { 'x-github-event': event, 'x-github-delivery': 'an-id', 'x-hub-signature-256': signature };
  return readGithubDelivery({ headers, body: Buffer.from(text) }, secret);
}

describe('a delivery', () => {
  it('of a push says which branch is where', async () => {
    const payload = pushes.find(({ ref, installation }) => ref === 'refs/heads/master' && installation)!;
    expect(await deliver('push', payload)).toEqual({
      id: 'an-id',
      event: 'push',
      events: [
        {
          kind: 'push',
          repository: { id: String(payload.repository.id), fullName: payload.repository.full_name },
          installationId: payload.installation?.id,
          branch: 'master',
          sha: payload.after,
          message: payload.head_commit?.message,
          pusher: payload.pusher.name,
        },
      ],
    });
  });

  it('of a tag says nothing that concerns us', async () => {
    const tags = examplesOf('push').filter(({ ref }) => ref?.startsWith('refs/tags/'));
    expect(tags.length).toBeGreaterThan(0);
    for (const payload of tags) expect((await deliver('push', payload)).events).toEqual([]);
  });

  it.each([
    ['installation', 'created', 'created'],
    ['installation', 'deleted', 'removed'],
    ['installation', 'suspend', 'suspended'],
    ['installation', 'unsuspend', 'resumed'],
    ['installation', 'new_permissions_accepted', 'changed'],
    ['installation_repositories', 'added', 'changed'],
    ['installation_repositories', 'removed', 'changed'],
  ])('of %s %s says that it was %s', async (event, action, change) => {
    const payloads = examplesOf(event).filter((payload) => payload.action === action);
    expect(payloads.length).toBeGreaterThan(0);
    for (const payload of payloads) {
      const installationId = (payload['installation'] as { id: number }).id;
      expect((await deliver(event, payload)).events).toEqual([{ kind: 'installation', installationId, change }]);
    }
  });

  it('of anything else is read, and concerns nobody', async () => {
    const others = examples.filter(({ name }) => name !== 'push' && !name.startsWith('installation'));
    expect(others.length).toBeGreaterThan(30);
    for (const { name, examples: payloads } of others) {
      for (const payload of payloads) {
        expect((await deliver(name, payload)).events).toEqual([]);
      }
    }
    expect((await deliver('__proto__', { action: 'created' })).events).toEqual([]);
  });

  it('with every kind of character is verified over the bytes as they came', async () => {
    const payload = { zen: 'Ünïcödé 🪻 \u2028 </script>' };
    expect((await deliver('ping', payload)).event).toBe('ping');
  });

  it('that is signed with another secret, or none, is forged', async () => {
    await expect(deliver('ping', {}, { secret: 'another' })).rejects.toBeInstanceOf(ForgedDelivery);
    const request = { headers: { 'x-hub-signature-256': 'sha256=' }, body: Buffer.from('{}') };
    expect(() => readGithubDelivery(request, secret)).toThrow(ForgedDelivery);
    expect(() => readGithubDelivery(request, null)).toThrow(ForgedDelivery);
    expect(() => readGithubDelivery(request, '')).toThrow(ForgedDelivery);
  });

  it('that is signed, and is not what the host would send, is none of it', async () => {
    await expect(deliver('push', { ref: 1 })).rejects.toBeInstanceOf(ForgedDelivery);
    await expect(deliver('installation', { action: 'created' })).rejects.toBeInstanceOf(ForgedDelivery);
  });
});
