import { rm } from 'node:fs/promises';
import { removeCgroup } from '../../sandbox/cgroups/cgroup.ts';
import type { InstanceCare } from '../held/instance-care.ts';
import type { InstanceNetworks } from '../instance-networks.ts';

/** Instances that are processes of this machine: a control group and a lease each. */
export function careForProcesses(networks: InstanceNetworks): InstanceCare {
  return {
    listeners: ({ record }, pids) => networks.listeners(record.lease, pids),
    async clearAway({ record, folder }) {
      await removeCgroup(record.cgroup);
      await networks.release(record.lease);
      await rm(folder, { recursive: true, force: true });
    },
    sweep: (held) => networks.sweep(held().map(({ lease }) => lease)),
  };
}
