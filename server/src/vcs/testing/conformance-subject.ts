import type { HostFetch } from '../host-fetch.ts';
import type { HostAccess, HostRepository, VcsHost } from '../vcs-host.ts';
import type { HostRig } from './host-rig.ts';

/** A host together with a rig of it. */
export interface HostSubject<R extends HostRig, H extends VcsHost> {
  /** With an access to all that is below `acme`, and another to what is below `carol`. */
  startRig(): Promise<R>;
  /** Of how many a page of the rig's lists has, at most. */
  pageSize: number;
  createHost(rig: R, fetch: HostFetch): H;
  /** As another platform has it, which is known to the host under other secrets. */
  createForeignHost(rig: R, fetch: HostFetch): H;
  accessTo(rig: R, account: 'acme' | 'carol'): Promise<HostAccess>;
  /** Has the host tell of pushes to this repository. */
  hook(rig: R, host: H, hook: { repository: HostRepository; url: string; access: HostAccess }): Promise<void>;
  /** Whether what git is given opens one repository alone. */
  narrowsCredentials: boolean;
}
