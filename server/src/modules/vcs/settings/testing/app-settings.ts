import { generateKeyPairSync } from 'node:crypto';
import type { AppSettings, OAuthSettings } from '../../../../vcs/vcs-host.ts';

/** Made once for each test file: an RSA key takes its time. */
export const privateKey: string = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey;

export const appSettings: AppSettings = {
  appId: 4711,
  slug: 'lilac-of-acme',
  clientId: 'Iv1.0123456789abcdef',
  clientSecret: 'the-secret-of-the-client',
  privateKey,
  webhookSecret: 'the-secret-of-webhooks',
};

export const oauthSettings: OAuthSettings = { clientId: 'a-client', clientSecret: 'another-secret' };
