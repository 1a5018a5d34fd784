import type { VcsHost } from '../vcs-host.ts';
import { describeRepositories } from './conformance-repositories.ts';
import { describeStatuses } from './conformance-statuses.ts';
import type { HostSubject } from './conformance-subject.ts';
import { describeTrouble } from './conformance-trouble.ts';
import { describeWebhooks } from './conformance-webhooks.ts';
import type { HostRig } from './host-rig.ts';

/** What holds for every host, whichever it is. */
export function describeHost<R extends HostRig, H extends VcsHost>(name: string, subject: HostSubject<R, H>): void {
  describeRepositories(name, subject);
  describeStatuses(name, subject);
  describeWebhooks(name, subject);
  describeTrouble(name, subject);
}
