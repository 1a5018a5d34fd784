export const applicationStatuses = [
  'pending',
  'building',
  'deploying',
  'healthy',
  'degraded',
  'failed',
  'deleting',
] as const;
export type ApplicationStatus = (typeof applicationStatuses)[number];

export const environmentStatuses = ['pending', 'deploying', 'healthy', 'degraded', 'failed', 'deleting'] as const;
export type EnvironmentStatus = (typeof environmentStatuses)[number];

export const deploymentStatuses = ['pending', 'building', 'deploying', 'healthy', 'failed', 'cancelled'] as const;
export type DeploymentStatus = (typeof deploymentStatuses)[number];

/** The finer steps, in their order. A deployment that failed keeps the one it failed in. */
export const deploymentStages = [
  'queued',
  'fetching',
  'detecting',
  'installing',
  'building',
  'packaging',
  'starting',
  'checking',
  'routing',
  'released',
] as const;
export type DeploymentStage = (typeof deploymentStages)[number];

export const uploadStatuses = ['reserved', 'ready', 'consumed', 'expired'] as const;
export type UploadStatus = (typeof uploadStatuses)[number];

/** How it is with the records of a domain. `astray`: they led here, and do not any more. */
export const dnsStatuses = ['unchecked', 'missing', 'wrong', 'found', 'astray'] as const;
export type DnsStatus = (typeof dnsStatuses)[number];

/**
 * Of a domain: `none` where there is no domain, or where a proxy does https; `provisioning` from the moment it is
 * added, while its records are looked for too.
 */
export const certificateStatuses = ['none', 'provisioning', 'issued', 'failed', 'renewing'] as const;
export type CertificateStatus = (typeof certificateStatuses)[number];

export const dnsRecordTypes = ['A', 'AAAA', 'CNAME', 'TXT'] as const;

export const databaseStatuses = ['provisioning', 'healthy', 'updating', 'degraded', 'failed', 'deleting'] as const;
export type DatabaseStatus = (typeof databaseStatuses)[number];

export const databaseTypes = ['postgresql', 'mysql'] as const;
export type DatabaseType = (typeof databaseTypes)[number];

/** What is being done to a database, in plain words that a person reads; `settled` when nothing is. */
export const databaseSteps = [
  'queued',
  'preparing files',
  'starting the server',
  'creating accounts',
  'starting the standby',
  'copying data',
  'restarting the server',
  'growing storage',
  'changing the password',
  'importing',
  'checking',
  'removing',
  'settled',
] as const;
export type DatabaseStep = (typeof databaseSteps)[number];

export const backupStatuses = ['waiting', 'writing', 'ready', 'failed'] as const;
export type BackupStatus = (typeof backupStatuses)[number];

export const deploymentTypes = ['static', 'container'] as const;
export type DeploymentType = (typeof deploymentTypes)[number];

export const sourceTypes = ['vcs', 'upload'] as const;
export type SourceType = (typeof sourceTypes)[number];

/** The least severe first. */
export const severities = ['DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] as const;
export type Severity = (typeof severities)[number];

export const metricNames = [
  'cpu',
  'memory',
  'requestCount',
  'latency',
  'instanceCount',
  'bandwidthOut',
  'bandwidthIn',
] as const;
export type MetricName = (typeof metricNames)[number];

export const metricRanges = ['1h', '6h', '24h', '7d'] as const;
export type MetricRange = (typeof metricRanges)[number];

export const gitProviders = ['provider1', 'provider2', 'provider3'] as const;
export type GitProvider = (typeof gitProviders)[number];

/** Of an attempt to link an installation or a connection: begun here, completed at the host. */
export const attemptStates = ['waiting', 'requested', 'confirm', 'linked', 'refused'] as const;
export type AttemptState = (typeof attemptStates)[number];

/**
 * Whether pushes reach an application by themselves: nothing waits for them; its host is still to be asked; they do;
 * they do not.
 */
export const pushStatuses = ['off', 'waiting', 'ready', 'failed'] as const;
export type PushStatus = (typeof pushStatuses)[number];
