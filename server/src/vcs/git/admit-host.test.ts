import { describe, expect, it } from 'vitest';
import { readConfig, type Environment } from '../../config.ts';
import { admitHost } from './admit-host.ts';

interface Situation {
  environment?: Environment;
  addresses?: readonly string[];
  isProxied?: boolean;
}

function admit(url: string, { environment = {}, addresses, isProxied = false }: Situation) {
  const config = readConfig({ LILAC_HOME: '/tmp/x', ...environment });
  const resolve = () => (addresses ? Promise.resolve([...addresses]) : Promise.reject(new Error('ENOTFOUND')));
  return admitHost({ config, isProxied: () => isProxied, resolve }, url);
}

const refused = (message: string) => ({ code: 'VA003', message: expect.stringContaining(message) as string });

describe('a host that the operator has set', () => {
  it('may be anywhere, in plain http, and is found as the system finds it', async () => {
    const environment = { LILAC_PROVIDER2_URL: 'http://git.internal:3000' };
    const addresses = ['10.0.0.5'];
    const admitted = await admit('http://git.internal:3000/a/b.git', { environment, addresses });
    expect(admitted).toEqual({ protocols: 'http:https', pin: null });
  });

  it('is trusted also where it is the default', async () => {
    const environment = { LILAC_VCS_URL: 'https://github.com' };
    const admitted = await admit('https://github.com/a/b.git', { environment, addresses: ['10.0.0.5'] });
    expect(admitted).toEqual({ protocols: 'https', pin: null });
  });
});

describe.each(['github.com', 'gitlab.com', 'bitbucket.org'])('%s, a default', (host) => {
  const url = `https://${host}/a/b.git`;

  it('is reached at the public address that was looked at', async () => {
    const admitted = await admit(url, { addresses: ['140.82.121.3', '140.82.121.4'] });
    expect(admitted).toEqual({ protocols: 'https', pin: `${host}:443:140.82.121.3` });
  });

  it('is refused when any of its addresses is private, and the refusal names the setting', async () => {
    const addresses = ['140.82.121.3', '192.168.1.1'];
    await expect(admit(url, { addresses })).rejects.toMatchObject(refused('LILAC_VCS_PRIVATE_ADDRESSES'));
  });

  it('is reached at a private address that the operator allows, and at no other', async () => {
    const environment = { LILAC_VCS_PRIVATE_ADDRESSES: '192.168.0.0/16, fd00::/8' };
    const admitted = await admit(url, { environment, addresses: ['fd00::7'] });
    expect(admitted).toEqual({ protocols: 'https', pin: `${host}:443:[fd00::7]` });
    await expect(admit(url, { environment, addresses: ['10.0.0.5'] })).rejects.toMatchObject(refused('private'));
  });

  it('is left to the proxy where its name does not resolve here, and refused without one', async () => {
    expect(await admit(url, { isProxied: true })).toEqual({ protocols: 'https', pin: null });
    await expect(admit(url, {})).rejects.toMatchObject(refused('does not resolve'));
  });
});
