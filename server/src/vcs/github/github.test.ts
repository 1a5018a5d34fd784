import { describeHost } from '../testing/conformance.ts';
import { startGithubRig } from '../testing/github-rig.ts';
import { hostAt } from './testing/host-at.ts';

describeHost('GitHub', {
  pageSize: 5,
  narrowsCredentials: true,
  async startRig() {
    const rig = await startGithubRig({ mostPerPage: 5 });
    await rig.install('acme');
    await rig.install('carol');
    return rig;
  },
  createHost: (rig, fetch) => hostAt(rig, { fetch }),
  createForeignHost: (rig, fetch) =>
    hostAt(rig, { fetch, settings: { ...rig.settings, webhookSecret: 'another-platform' } }),
  async accessTo(rig, account) {
    return { kind: 'installation', installationId: rig.installationAt(account) };
  },
  async hook(rig, _host, { url }) {
    rig.hooksTo(url);
  },
});
