/** What a list may be sorted by: the store keeps an index for each. */
export const sortColumns = {
  applications: ['created_at', 'updated_at', 'name', 'status'],
  databases: ['created_at', 'name', 'status'],
  projects: ['created_at', 'updated_at', 'name'],
} as const;
