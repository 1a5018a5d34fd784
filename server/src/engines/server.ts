/** One server of a database: what it is to be. Two with the same id are the same server. */
export interface ServerSpec {
  /** Of `[a-z0-9_]`. */
  id: string;
  databaseId: string;
  organisationId: string;
  /** The series its files belong to. */
  version: string;
  port: number;
  role: 'primary' | 'standby';
  size: ServerSize;
  access: AccessRules;
}

export interface ServerSize {
  memoryMb: number;
  cpus: number;
  storageGb: number;
}

export interface AccessRules {
  /** Networks from which the owner may come, encrypted: `0.0.0.0/0`, `::/0` where that is anywhere; none: nobody outside. */
  networks: readonly string[];
  /** Networks of this machine's instances, which need no encryption; the firewall decides which instances. */
  instanceNetworks: readonly string[];
  /** Addresses of this machine itself within those: builds and people here are not instances. Refused unless `networks` has them. */
  ownAddresses: readonly string[];
}

export interface ServerUsage {
  /** Processor time since its start. */
  cpuSeconds: number;
  memoryBytes: number;
  /** What counts towards its storage: data, indexes, logs of transactions. */
  storageBytes: number;
  /** Of clients, not the platform's own. */
  connections: number;
}
