import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Fault } from '../../../lib/fault.ts';
import { readHostSettings } from './host-settings.ts';
import { appSettings, oauthSettings, privateKey } from './testing/app-settings.ts';

const refused = (provider: 'provider1' | 'provider2', given: unknown): string => {
  try {
    readHostSettings(provider, given);
  } catch (error) {
    if (error instanceof Fault && error.code === 'VA001') return error.message;
    throw error;
  }
  throw new Error('It was taken.');
};

describe('the settings of a host', () => {
  it('are taken when they are whole, without the space that pasting leaves around them', () => {
    expect(readHostSettings('provider1', appSettings)).toEqual(appSettings);
    expect(readHostSettings('provider3', { clientId: ' a-client\n', clientSecret: 'another-secret ' })).toEqual(
      oauthSettings,
    );
    const pasted = { ...appSettings, privateKey: `\n${privateKey}\n\n` };
    expect(readHostSettings('provider1', pasted)).toEqual(appSettings);
  });

  it('are refused when they are half a set, and it is said what is missing', () => {
    const { privateKey: _, webhookSecret: __, ...half } = appSettings;
    expect(refused('provider1', half)).toBe(
      'The settings of provider1 are incomplete: privateKey, webhookSecret are missing.',
    );
    expect(refused('provider2', { clientId: 'a' })).toContain('clientSecret is missing');
    for (const nothing of [null, [], 'text']) expect(refused('provider2', nothing)).toContain('one JSON object');
  });

  const { privateKey: ellipticKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const { privateKey: lockedKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  it.each([
    ['no key at all', 'not a key'],
    ['cut off', privateKey.slice(0, 400)],
    ['of another kind', ellipticKey],
    ['locked by a passphrase', lockedKey],
    ['the public one', publicKey],
  ])('are refused with a private key that is %s, and the message does not repeat it', (_, key) => {
    const message = refused('provider1', { ...appSettings, privateKey: key });
    expect(message).toContain('privateKey must be an RSA key as PEM');
    expect(message).not.toContain(key.slice(30, 60) || key);
  });

  it('are refused with what does not belong there, or would change an address', () => {
    expect(refused('provider2', { ...oauthSettings, appId: 1 })).toContain('it has no appId');
    expect(refused('provider1', { ...appSettings, slug: '../x' })).toContain('slug must be');
    expect(refused('provider1', { ...appSettings, appId: '4711' })).toContain('appId');
    expect(refused('provider2', { clientId: 'two words', clientSecret: 'x' })).toContain('clientId must be one word');
  });
});
