import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHostFetch } from '../host-fetch.ts';
import { ForgedDelivery, type HostRepository, type VcsHost, type WebhookRequest } from '../vcs-host.ts';
import type { HostSubject } from './conformance-subject.ts';
import type { HostRig } from './host-rig.ts';
import { startReceiver, type WebhookReceiver } from './webhook-receiver.ts';

export function describeWebhooks<R extends HostRig, H extends VcsHost>(name: string, subject: HostSubject<R, H>): void {
  describe(`${name}: webhooks`, () => {
    let rig: R;
    let host: H;
    let repository: HostRepository;
    let receiver: WebhookReceiver;

    beforeAll(async () => {
      rig = await subject.startRig();
      host = subject.createHost(rig, createHostFetch());
      receiver = await startReceiver();
      repository = await rig.createRepository('acme/site', { isPrivate: true, files: { a: '1' } });
      const access = await subject.accessTo(rig, 'acme');
      await subject.hook(rig, host, { repository, url: receiver.url, access });
    });
    afterAll(async () => {
      await receiver[Symbol.asyncDispose]();
      await rig[Symbol.asyncDispose]();
    });
    const eventsAfter = async (act: () => Promise<unknown>) => {
      const before = receiver.received.length;
      await act();
      return receiver.received.slice(before).flatMap((request) => host.readDelivery(request).events);
    };

    it('tell of a push: where the branch is now, and what is said of it', async () => {
      let sha = '';
      const events = await eventsAfter(async () => {
        sha = await rig.push('acme/site', {
          branch: 'feat/x',
          files: { a: '2' },
          message: 'Zweî [skip deploy]\n\nmore',
        });
      });
      expect(events).toEqual([
        expect.objectContaining({
          kind: 'push',
          repository: { id: repository.id, fullName: 'acme/site' },
          branch: 'feat/x',
          sha,
          message: expect.stringMatching(/^Zweî \[skip deploy\]\n\nmore\n?$/) as string,
          pusher: 'alice',
        }),
      ]);
    });

    it('tell of a branch that was deleted', async () => {
      await rig.push('acme/site', { branch: 'gone', files: { a: '3' } });
      const events = await eventsAfter(() => rig.deleteBranch('acme/site', 'gone'));
      expect(events).toEqual([expect.objectContaining({ kind: 'push', branch: 'gone', sha: null })]);
    });

    it('are the same delivery when they are sent again, and others when they are others', async () => {
      await rig.push('acme/site', { files: { a: '4' } });
      await rig.push('acme/site', { files: { a: '5' } });
      await rig.redeliver(rig.deliveries.length - 1);
      const [one, two, again] = receiver.received.slice(-3).map((request) => host.readDelivery(request));
      expect(again).toEqual(two);
      expect(one?.id).not.toBe(two?.id);
    });

    it('are refused when they are forged, altered, unsigned or meant for somebody else', async () => {
      await rig.push('acme/site', { files: { a: '6' } });
      const { headers, query, body } = receiver.received.at(-1)!;
      const refuse = (request: WebhookRequest, by: VcsHost = host) =>
        expect(() => by.readDelivery(request)).toThrow(ForgedDelivery);
      expect(host.mayBeGenuine({ headers, query })).toBe(true);
      expect(host.mayBeGenuine({ headers: {}, query })).toBe(false);
      const altered = Buffer.from(body.toString().replace('acme/site', 'acme/evil'));
      expect(altered).not.toEqual(body);
      expect(host.readDelivery({ headers, query, body }).events).toHaveLength(1);
      // A token only proves who sends it.
      if (headers['x-gitlab-token'] === undefined) refuse({ headers, query, body: altered });
      refuse({ headers, query, body: Buffer.from('{"repository": 1') });
      refuse({ headers, query, body: Buffer.alloc(0) });
      refuse({ headers: {}, query, body });
      for (const name of ['x-hub-signature-256', 'x-hub-signature', 'x-gitlab-token']) {
        const value = headers[name];
        if (value === undefined) continue;
        refuse({ headers: { ...headers, [name]: undefined }, query, body });
        refuse({ headers: { ...headers, [name]: '' }, query, body });
        refuse({
          headers: { ...headers, [name]: `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}` },
          query,
          body,
        });
        refuse({ headers: { ...headers, [name]: `${value}0` }, query, body });
        refuse({ headers: { ...headers, [name]: value.slice(0, -1) }, query, body });
      }
      refuse({ headers, query, body }, subject.createForeignHost(rig, createHostFetch()));
    });
  });
}
