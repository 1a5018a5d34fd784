import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGithubRig, type GithubRig } from './github-rig.ts';
import { startReceiver, type WebhookReceiver } from './webhook-receiver.ts';

const schema = createRequire(import.meta.url)('@octokit/webhooks-schemas') as { definitions: object };
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  formats: {
    uri: (text: string) => URL.canParse(text),
    'uri-template': true,
    email: true,
    'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
  },
  // Else each of them is put together from all the others.
  inlineRefs: false,
}).addSchema({ definitions: schema.definitions }, 'webhooks');

/** What the schemas that the host's people keep say against it. */
function errorsOf(event: string, payload: unknown): string[] {
  const name = ['push', 'delete'].includes(event) ? `${event}$event` : `${event}_event`;
  const validate = ajv.getSchema(`webhooks#/definitions/${name}`);
  if (!validate) throw new Error(`There is no schema of ${event}.`);
  return validate(payload) ? [] : [`${event}: ${ajv.errorsText(validate.errors)}`];
}

describe('the rig of the first host', () => {
  let rig: GithubRig;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    rig = await startGithubRig();
    receiver = await startReceiver();
    rig.hooksTo(receiver.url);
  });
  afterAll(async () => {
    await rig[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });

  it('sends webhooks as the host does, of all that happens to an installation and its repositories', async () => {
    const id = await rig.install('acme');
    await rig.createRepository('acme/site', {
      isPrivate: true,
      files: { 'a b.txt': 'é', bin: new Uint8Array([0, 255]) },
    });
    await rig.push('acme/site', { files: { 'a b.txt': 'zwei' }, message: 'Zwei\n\nmit 🪻' });
    await rig.push('acme/site', { branch: 'feat/x', files: { 'a b.txt': null } });
    await rig.deleteBranch('acme/site', 'feat/x');
    await rig.choose(id, []);
    await rig.push('acme/site', { files: { unheard: 'of' } });
    await rig.choose(id, ['acme/site']);
    await rig.suspend(id);
    await rig.push('acme/site', { files: { unheard: 'too' } });
    await rig.resume(id);
    await rig.uninstall(id);
    expect(rig.deliveries.map(({ event, status }) => [event, status])).toEqual(
      [
        'installation',
        'push',
        'push',
        'push',
        'delete',
        'installation_repositories',
        'installation_repositories',
        'installation',
        'installation',
        'installation',
      ].map((event) => [event, 200]),
    );
    const said = rig.deliveries.flatMap(({ event, body }) => errorsOf(event, JSON.parse(body.toString())));
    expect(said).toEqual([]);
  });

  it('has pages where a person in a browser chooses who they are', async () => {
    rig.sendsBackTo('http://127.0.0.1:9/back');
    const page = await fetch(`${rig.url}/apps/${rig.settings.slug}/installations/new?state=s`);
    const html = await page.text();
    const link = /href="([^"]+)">Continue as bob for bob</.exec(html)?.[1]?.replaceAll('&amp;', '&');
    const back = await fetch(rig.url + link, { redirect: 'manual' });
    expect(back.headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1:9\/back\?code=.*&state=s$/);
  });
});
