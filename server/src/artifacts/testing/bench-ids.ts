export const ORGANISATION = 'org_bench';
export const ENVIRONMENT = 'env_bench';
