import type { OutputOf } from './api-types.ts';

type DomainWarning = OutputOf<'applications.domain-warnings'>[number];

const words: Record<DomainWarning['problem'], (domain: string) => string> = {
  astray: (domain) => `${domain} no longer leads here`,
  certificate_failed: (domain) => `there is no good certificate for ${domain}`,
  certificate_expiring: (domain) => `the certificate for ${domain} ends soon and could not be renewed`,
  lost: (domain) => `another organisation has shown that ${domain} is theirs, and has it now`,
};

export const describeWarning = ({ problem, domain }: DomainWarning): string => words[problem](domain);
