import type { EndpointName } from '@lilac/contract/endpoints';

const MAY_BE_OLD =
  'While the host does not answer, what was read within the last hour is given; then it is said when that was.';
const OF_ALL_ACCOUNTS = `${MAY_BE_OLD} One account that cannot be read takes nothing from the others: it is named.`;
const GROUPS_WITHIN = `A group within a group is written with its slash: outer/inner. ${MAY_BE_OLD}`;

/** In the place of what the contract says of them: that speaks of headers and of addresses. */
export const descriptionsOfLists: Partial<Record<EndpointName, string>> = {
  'vcs-app.repositories': OF_ALL_ACCOUNTS,
  'vcs-app.branches': MAY_BE_OLD,
  'provider2.repositories': OF_ALL_ACCOUNTS,
  'provider2.branches': GROUPS_WITHIN,
  'provider3.repositories': OF_ALL_ACCOUNTS,
  'provider3.branches': MAY_BE_OLD,
};
